/** A list longer than its place that follows what it is about. */

/** Scroll a list to its current line, and nothing but the list: the page stays where it is, at once and without motion. */
export function follow(list: HTMLElement | undefined): void {
  const current = list?.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!list || !current) return
  const own = list.getBoundingClientRect()
  if (current.top < own.top) list.scrollTop -= own.top - current.top
  else if (current.bottom > own.bottom) list.scrollTop += current.bottom - own.bottom
}
