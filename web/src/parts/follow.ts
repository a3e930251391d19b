/** A scrolling list that follows its current line. */

/** Scroll a list to its current line, without animation and without scrolling the page. */
export function follow(list: HTMLElement | undefined): void {
  const current = list?.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!list || !current) return
  const own = list.getBoundingClientRect()
  if (current.top < own.top) list.scrollTop -= own.top - current.top
  else if (current.bottom > own.bottom) list.scrollTop += current.bottom - own.bottom
}
