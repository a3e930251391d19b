/** The browser's address as reactive state, and navigation without a reload. */

class Route {
  path = $state(location.pathname)
  query = $state(new URLSearchParams(location.search))

  constructor() {
    addEventListener('popstate', () => this.read())
    addEventListener('click', (event) => this.follow(event))
  }

  /** Go to another page. */
  go(to: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', to)
    else history.pushState(null, '', to)
    this.read()
    scrollTo(0, 0)
  }

  /** The parts of the path. */
  get parts(): string[] {
    return this.path.split('/').filter(Boolean).map(decodeURIComponent)
  }

  private read(): void {
    this.path = location.pathname
    this.query = new URLSearchParams(location.search)
  }

  private follow(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest?.('a')
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!link || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return
    if (link.pathname.startsWith('/api/') || link.pathname.startsWith('/links/')) return
    if (link.hash && link.pathname === location.pathname) return
    event.preventDefault()
    this.go(link.pathname + link.search)
  }
}

export const route = new Route()
