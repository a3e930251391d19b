/** A strip of links that may be wider than its container: it scrolls to the current one and fades out where there are more. */

/** Keep the current link in view and mark the sides with more links; the class `strip` draws the marks. */
export function strip(node: HTMLElement): () => void {
  const look = () => {
    node.classList.toggle('more-before', node.scrollLeft > 2)
    node.classList.toggle('more-after', node.scrollLeft + node.clientWidth < node.scrollWidth - 2)
  }
  const show = () => {
    const current = node.querySelector('[aria-current]')?.getBoundingClientRect()
    const own = node.getBoundingClientRect()
    if (current) node.scrollLeft += current.left + current.width / 2 - own.left - own.width / 2
    look()
  }
  const links = new MutationObserver(show)
  links.observe(node, { subtree: true, childList: true, attributeFilter: ['aria-current'] })
  const size = new ResizeObserver(show)
  size.observe(node)
  node.addEventListener('scroll', look, { passive: true })
  return () => {
    links.disconnect()
    size.disconnect()
    node.removeEventListener('scroll', look)
  }
}
