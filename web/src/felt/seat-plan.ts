/** How one betting position is drawn: its areas in rows, then its cards, then its name. */
import type { Schemas } from '../wire/client'
import { TALL, type Box, type Point, type Rules, type SeatSize } from './measure'

/** A betting area of a seat, in the seat's own measure: its origin is the middle of its upper edge. */
export type Area = Box & { wager: string; inscription: string; shape: 'circle' | 'box'; sides: 'main' | 'side'; hasEquals: boolean }

/** A seat's drawing: areas from above, then the cards, then the name. */
export type SeatPlan = {
  width: number
  height: number
  areas: Area[]
  /** The discard spot, if the layout has one. */
  discard: Box | null
  cards: Point & { width: number; step: number }
  name: number
}

export type Design = { width: number; card: number; main: number; side: number; gap: number; columns: number; name: number }

export const DESIGN: Record<SeatSize, Design> = {
  own: { width: 284, card: 68, main: 70, side: 46, gap: 6, columns: 3, name: 26 },
  other: { width: 150, card: 42, main: 42, side: 30, gap: 4, columns: 2, name: 34 },
  counter: { width: 76, card: 30, main: 0, side: 0, gap: 2, columns: 3, name: 34 },
}

// What a seat's name with the line under it, and the index of a card, need to be read, in pixels.
const NAMES_PX = 28
const CARD_PX = 30

/** Return another seat's design for this number of pixels per unit; cards and names stay legible. */
export function legible(pixels: number): Design {
  const { card, name } = DESIGN.other
  return { ...DESIGN.other, card: Math.max(card, CARD_PX / pixels), name: Math.max(name, NAMES_PX / pixels) }
}

// On a narrow screen the user's own seat has the full width and little height.
export const OWN_NARROW: Design = { width: 366, card: 76, main: 66, side: 44, gap: 6, columns: 3, name: 26 }

type Shown = { hasAreas?: boolean; hasCards?: boolean; only?: string[] | null }

/** Return how a seat is drawn under these rules. */
export function drawn(rules: Rules, design: Design, { hasAreas = true, hasCards = true, only = null }: Shown = {}): SeatPlan {
  const { width, card, gap, name } = design
  const areas: Area[] = []
  let y = 0
  let discard: Box | null = null
  if (hasAreas) {
    const sides = rules.wagers.filter((wager) => !wager.required && !wager.by_action && (only === null || only.includes(wager.name)))
    y = sideRows(areas, sides, design)
    discard = mainRow(areas, rules, design, y)
    y += design.main + gap + 2
  }
  const count = rules.cards_each
  const step = Math.min(card + 4, count > 1 ? (width * 0.95 - card) / (count - 1) : 0)
  const cards = { x: -(step * (count - 1) + card) / 2, y, width: card, step }
  if (hasCards) y += card * TALL + gap
  return { width, height: y + name, areas, discard, cards, name: y }
}

function sideRows(areas: Area[], sides: Schemas['WagerAtTable'][], { width, side, gap, columns }: Design): number {
  let y = 0
  const across = Math.min(sides.length, columns)
  for (let first = 0; first < sides.length; first += columns) {
    const row = sides.slice(first, first + columns)
    const each = Math.min((width - gap * (across - 1)) / across, width / 2 - gap / 2)
    const start = -(each * row.length + gap * (row.length - 1)) / 2
    row.forEach((wager, index) => areas.push(area(wager, { x: start + index * (each + gap), y, width: each, height: side }, 'side')))
    y += side + gap
  }
  return y
}

/** The wagers that are always there, and beside them the place of a discard: in front of the player. */
function mainRow(areas: Area[], rules: Rules, { width, main }: Design, y: number): Box | null {
  // A bonus that pays on another wager's stake has no area: the layout prints nothing for it.
  const mains = rules.wagers.filter((wager) => wager.required || (wager.by_action && wager.inscription !== null))
  const across = mains.length + (rules.discards ? 1 : 0)
  const room = Math.min(width / across, main * 1.5)
  const at = (index: number) => (index - (across - 1) / 2) * room
  mains.forEach((wager, index) => areas.push(area(wager, { x: at(index) - main / 2, y, width: main, height: main }, 'main')))
  return rules.discards ? { x: at(across - 1) - main / TALL / 2, y, width: main / TALL, height: main } : null
}

function area(wager: Schemas['WagerAtTable'], box: Box, sides: Area['sides']): Area {
  return { ...box, wager: wager.name, inscription: wager.inscribed_name ?? wager.title, shape: sides === 'main' ? 'circle' : 'box', sides, hasEquals: wager.after_equals }
}
