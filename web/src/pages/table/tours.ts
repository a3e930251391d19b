/** The games whose first round was explained in this browser. */

const KEY = 'pitboss.tours'

/** Return whether a game's tour was seen or skipped. */
export function hasToured(game: string): boolean {
  return seen().includes(game)
}

/** Note that a game's tour was seen or skipped. */
export function toured(game: string): void {
  localStorage.setItem(KEY, JSON.stringify([...new Set([...seen(), game])]))
}

function seen(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}
