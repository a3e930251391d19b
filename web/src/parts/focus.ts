/** Where keys go next. */

/** Drop the focus after a click, so that the next key goes to the page and not to that element. */
export function letGo(): void {
  const active = document.activeElement
  if (active instanceof HTMLElement || active instanceof SVGElement) active.blur()
}
