/** Where keys go next. */

/** Let go of whatever was clicked, so that the next key is for the page and not for that one thing again. */
export function letGo(): void {
  const active = document.activeElement
  if (active instanceof HTMLElement || active instanceof SVGElement) active.blur()
}
