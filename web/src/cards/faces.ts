/** How card faces look: rank and suit, color, and the outline of a suit. */

export type Suit = 'c' | 'd' | 'h' | 's'
export type Suited = { rank: string; suit: Suit }

/** The outlines of the suits, in a square of 24. */
export const OUTLINES: Record<Suit, string> = {
  h: 'M12 21.6C5.2 15.8 2 12.2 2 7.9A5.1 5.1 0 0 1 12 6.2 5.1 5.1 0 0 1 22 7.9C22 12.2 18.8 15.8 12 21.6Z',
  d: 'M12 1.6C14.2 5.6 16.8 9 20 12 16.8 15 14.2 18.4 12 22.4 9.8 18.4 7.2 15 4 12 7.2 9 9.8 5.6 12 1.6Z',
  s: 'M12 1.8C9.4 6.2 3 9.4 3 14A4.4 4.4 0 0 0 11 16.3C10.9 18.7 9.9 20.7 8 22.2H16C14.1 20.7 13.1 18.7 13 16.3A4.4 4.4 0 0 0 21 14C21 9.4 14.6 6.2 12 1.8Z',
  c: 'M12 1.8A4.6 4.6 0 0 1 15.7 9.1 4.6 4.6 0 1 1 13.1 16.2C13.2 18.7 14.2 20.7 16 22.2H8C9.8 20.7 10.8 18.7 10.9 16.2A4.6 4.6 0 1 1 8.3 9.1 4.6 4.6 0 0 1 12 1.8Z',
}

/** The same suits in type, where a sentence names a card. */
export const SIGNS: Record<Suit, string> = { c: '♣', d: '♦', h: '♥', s: '♠' }

/** Rank and suit of a card of the 52, or null for a card of another deck. */
export function suited(face: string): Suited | null {
  return /^[2-9TJQKA][cdhs]$/.test(face) ? { rank: face[0] === 'T' ? '10' : face[0]!, suit: face[1] as Suit } : null
}

/** A card in short form: Q♣, 10♥; a card of another deck by its title. */
export function short(face: string, titles: Record<string, string> = {}): string {
  const known = suited(face)
  // As it is printed on the card: Red Dragon.
  return known ? known.rank + SIGNS[known.suit] : (titles[face] ?? face).replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

/** The color of a suit; with four-color suits each has its own. */
export function ink(suit: Suit, fourColours: boolean): string {
  if (fourColours) return { c: 'var(--card-green)', d: 'var(--card-blue)', h: 'var(--card-red)', s: 'var(--card-ink)' }[suit]
  return suit === 'd' || suit === 'h' ? 'var(--card-red)' : 'var(--card-ink)'
}
