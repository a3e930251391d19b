/** Where everything lies on the felt, worked out from the rules of the table: places, seats and betting areas. */
import type { Schemas } from '../wire/client'

export type Rules = Schemas['TableRules']
export type Point = { x: number; y: number }
export type Box = Point & { width: number; height: number }

/** How a seat is drawn: one's own large, another's in full, or as a counter where room is short. */
export type SeatSize = 'own' | 'other' | 'counter'

/** A betting area of a seat, in the seat's own measure: its origin is the middle of its upper edge. */
export type Area = Box & { wager: string; inscription: string; shape: 'circle' | 'box'; sides: 'main' | 'side'; hasEquals: boolean }

/** A seat's drawing: areas from above, then the cards, then the name. */
export type SeatPlan = { width: number; height: number; areas: Area[]; cards: Point & { width: number; step: number }; name: number }

/** Where a seat lies on the felt. */
export type Spot = Point & { seat: number; size: SeatSize; scale: number; turn: number; plan: SeatPlan }

/** Where the cards of a place lie: the left upper corner of each. */
export type Laid = { place: string; title: string; width: number; cards: Point[]; middle: number; below: number }

export type Plan = {
  width: number
  height: number
  isNarrow: boolean
  spots: Spot[]
  places: Laid[]
  tray: Box
  shoe: Box
  rack: Box
  inscriptions: Point & { width: number }
}

const TALL = 1.4 // a card's height by its width
const WIDE = { width: 1000, least: 500 }
const NARROW = { width: 390 }
const WEIGHT = { own: 2.2, taken: 1.2, empty: 0.7 } // of the players' side, once one has sat down
type Design = { width: number; card: number; main: number; side: number; gap: number; columns: number; name: number }
const DESIGN: Record<SeatSize, Design> = {
  own: { width: 284, card: 68, main: 70, side: 46, gap: 6, columns: 3, name: 26 },
  other: { width: 150, card: 44, main: 41, side: 28, gap: 4, columns: 3, name: 36 },
  counter: { width: 76, card: 24, main: 0, side: 0, gap: 2, columns: 3, name: 34 },
}

// On a narrow screen one's own seat has the whole width and little height.
const OWN_NARROW: Design = { width: 366, card: 76, main: 66, side: 44, gap: 6, columns: 3, name: 26 }

/** What decides where things lie, besides the rules. */
export type Scene = {
  mySeat: number | null
  taken: number[]
  isNarrow: boolean
  /** Whether cards are out: before that a narrow screen shows every area, after it the staked ones and the cards. */
  isDealt: boolean
  /** The wagers of one's own seat that are staked. */
  staked: string[]
}

/** Return the whole drawing's plan; a table without a seat of one's own is laid out evenly. */
export function plan(rules: Rules, scene: Scene): Plan {
  return scene.isNarrow ? narrow(rules, scene) : wide(rules, scene)
}

function wide(rules: Rules, { mySeat, taken }: Scene): Plan {
  const { width, least } = WIDE
  const spots = arc(rules, mySeat, taken)
  return {
    width,
    height: Math.max(least, ...spots.map((one) => one.y + one.plan.height * one.scale + (one.size === 'own' ? 54 : 34))),
    isNarrow: false,
    places: placesWide(rules),
    spots,
    tray: { x: width / 2 - 150, y: 16, width: 300, height: 34 },
    shoe: { x: 752, y: 18, width: 70, height: 34 },
    rack: { x: 178, y: 18, width: 70, height: 34 },
    inscriptions: { x: 178, y: 92, width: 172 },
  }
}

function placesWide(rules: Rules): Laid[] {
  const has = (place: string) => rules.places.find((one) => one.place === place)
  const [dealer, board, box] = [has('dealer'), has('board'), has('box')]
  const found: Laid[] = []
  const isAlone = !board || !dealer
  if (dealer) found.push(laid(dealer, { middle: 500, y: isAlone ? 84 : 62, width: isAlone ? 64 : 52, most: 400 }))
  if (board) found.push(laid(board, { middle: 500, y: isAlone ? 84 : 156, width: isAlone ? 68 : 58, most: 400 }))
  if (box) found.push(laid(box, { middle: 716, y: 84, width: 40, most: 190 }))
  return found
}

type Lay = { middle: number; y: number; width: number; most: number }

function laid(place: Schemas['PlaceShown'], { middle, y, width, most }: Lay): Laid {
  const groups = place.groups.length ? place.groups : [place.cards]
  const natural = place.cards * (width + 6) - 6 + (groups.length - 1) * 12
  const step = natural <= most ? width + 6 : (most - width - (groups.length - 1) * 12) / (place.cards - 1)
  const whole = step * (place.cards - 1) + width + (groups.length - 1) * 12
  const cards: Point[] = []
  let x = middle - whole / 2
  for (const count of groups) {
    for (let index = 0; index < count; index++, x += step) cards.push({ x, y })
    x += 12
  }
  return { place: place.place, title: place.title, width, cards, middle, below: y + width * TALL }
}

/** Seat 1 is at the dealer's far left: on the right, seen from the players' side. */
function arc(rules: Rules, mySeat: number | null, taken: number[]): Spot[] {
  const seats = Array.from({ length: rules.seats }, (_, index) => rules.seats - index)
  const weights = seats.map((seat) => (mySeat === null ? 1 : seat === mySeat ? WEIGHT.own : taken.includes(seat) ? WEIGHT.taken : WEIGHT.empty))
  const unit = 940 / Math.max(weights.reduce((sum, one) => sum + one, 0), 6)
  const spare = (940 - unit * weights.reduce((sum, one) => sum + one, 0)) / 2
  let left = 30 + spare
  return seats.map((seat, index) => {
    const room = unit * weights[index]!
    const x = seat === mySeat ? Math.min(Math.max(left + room / 2, 176), 824) : left + room / 2
    left += room
    const aside = (x - 500) / 482
    const size: SeatSize = seat === mySeat ? 'own' : 'other'
    const seatPlan = drawn(rules, DESIGN[size])
    const scale = Math.min((room - 6) / seatPlan.width, size === 'own' ? 1 : 1.12)
    const isOwn = size === 'own'
    const y = 268 - (isOwn ? 92 : 124) * aside * aside
    return { seat, size, x, y, scale, turn: isOwn ? 0 : -11 * aside, plan: seatPlan }
  })
}

function narrow(rules: Rules, scene: Scene): Plan {
  const { width } = NARROW
  const has = (place: string) => rules.places.find((one) => one.place === place)
  const [dealer, board, box] = [has('dealer'), has('board'), has('box')]
  const places: Laid[] = []
  if (dealer) places.push(laid(dealer, { middle: box ? 112 : 195, y: 40, width: board ? 44 : 52, most: box ? 150 : 340 }))
  if (box) places.push(laid(box, { middle: 284, y: 46, width: 38, most: 170 }))
  if (board) places.push(laid(board, { middle: 195, y: dealer ? 122 : 44, width: 54, most: 340 }))
  const top = Math.max(...places.map((one) => one.below)) + 24
  const { spots, below } = scene.mySeat === null ? grid(rules, top) : ownFirst(rules, scene.mySeat, scene, top)
  return {
    width,
    height: below + 12,
    isNarrow: true,
    places,
    spots,
    tray: { x: 105, y: 13, width: 180, height: 19 },
    shoe: { x: 330, y: 12, width: 44, height: 22 },
    rack: { x: 16, y: 12, width: 44, height: 22 },
    inscriptions: { x: 0, y: 0, width: 0 },
  }
}

function grid(rules: Rules, top: number): { spots: Spot[]; below: number } {
  const columns = Math.ceil(rules.seats / 2)
  const room = 374 / columns
  const seatPlan = drawn(rules, DESIGN.other)
  const scale = (room - 6) / seatPlan.width
  const spots = Array.from({ length: rules.seats }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    const x = 382 - room * (column + 0.5)
    return { seat: index + 1, size: 'other' as const, x, y: top + row * (seatPlan.height * scale + 16), scale, turn: 0, plan: seatPlan }
  })
  return { spots, below: top + 2 * (seatPlan.height * scale + 16) }
}

function ownFirst(rules: Rules, mySeat: number, { isDealt, staked }: Scene, top: number): { spots: Spot[]; below: number } {
  const others = Array.from({ length: rules.seats }, (_, index) => index + 1).filter((seat) => seat !== mySeat)
  const counter = drawn(rules, DESIGN.counter, { hasAreas: false, hasCards: isDealt })
  const room = 374 / Math.max(others.length, 1)
  const spots: Spot[] = others.map((seat, index) => ({
    seat,
    size: 'counter',
    x: 382 - room * (index + 0.5),
    y: top,
    scale: Math.min(1, (room - 2) / counter.width),
    turn: 0,
    plan: counter,
  }))
  const own = drawn(rules, OWN_NARROW, { hasCards: isDealt, only: isDealt ? staked : null })
  const y = top + counter.height + 6
  spots.push({ seat: mySeat, size: 'own', x: 195, y, scale: 1, turn: 0, plan: own })
  return { spots, below: y + own.height }
}

type Shown = { hasAreas?: boolean; hasCards?: boolean; only?: string[] | null }

/** Return how a seat is drawn under these rules: areas in rows, then the cards, then the name. */
function drawn(rules: Rules, design: Design, { hasAreas = true, hasCards = true, only = null }: Shown = {}): SeatPlan {
  const { width, card, main, gap, name } = design
  const areas: Area[] = []
  let y = 0
  if (hasAreas) {
    const sides = rules.wagers.filter((one) => !one.required && !one.by_action && (only === null || only.includes(one.name)))
    const mains = rules.wagers.filter((one) => one.required || one.by_action)
    y = sideRows(areas, sides, design)
    const room = Math.min(width / mains.length, main * 1.5)
    mains.forEach((one, index) => {
      const x = (index - (mains.length - 1) / 2) * room - main / 2
      areas.push(area(one, { x, y, width: main, height: main }, 'main'))
    })
    y += main + gap + 2
  }
  const count = rules.cards_each
  const step = Math.min(card + 4, count > 1 ? (width - 4 - card) / (count - 1) : 0)
  const cards = { x: -(step * (count - 1) + card) / 2, y, width: card, step }
  if (hasCards) y += card * TALL + gap
  return { width, height: y + name, areas, cards, name: y }
}

function sideRows(areas: Area[], sides: Schemas['WagerAtTable'][], { width, side, gap, columns }: Design): number {
  let y = 0
  for (let first = 0; first < sides.length; first += columns) {
    const row = sides.slice(first, first + columns)
    const across = Math.min(sides.length, columns)
    const each = Math.min((width - gap * (across - 1)) / across, width / 2 - gap)
    const start = -(each * row.length + gap * (row.length - 1)) / 2
    row.forEach((one, index) => areas.push(area(one, { x: start + index * (each + gap), y, width: each, height: side }, 'side')))
    y += side + gap
  }
  return y
}

function area(wager: Schemas['WagerAtTable'], box: Box, sides: Area['sides']): Area {
  const printed = wager.inscription ?? wager.title
  const hasEquals = printed.startsWith('= ')
  return { ...box, wager: wager.name, inscription: hasEquals ? printed.slice(2) : printed, shape: sides === 'main' ? 'circle' : 'box', sides, hasEquals }
}

/** Return a point of the felt in a seat's own measure: where a card or chip comes from. */
export function seenFrom(spot: Spot, point: Point): Point {
  const angle = (-spot.turn * Math.PI) / 180
  const [x, y] = [point.x - spot.x, point.y - spot.y]
  return { x: (x * Math.cos(angle) - y * Math.sin(angle)) / spot.scale, y: (x * Math.sin(angle) + y * Math.cos(angle)) / spot.scale }
}

/** Return the middle of a box. */
export function middle(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Return the outline of the felt at some distance from its outer edge: straight on the dealer's side, round on the players'. */
export function outline({ width, height, isNarrow }: Plan, inset: number): string {
  const [left, right, top, bottom] = [inset, width - inset, inset, height - inset]
  const corner = 28 - inset
  if (isNarrow) return `M${left + corner} ${top}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${bottom - corner}a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${left + corner}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}V${top + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`
  const [across, down] = [210 - inset, 150 - inset]
  return `M${left + corner} ${top}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${bottom - down}a${across} ${down} 0 0 1 ${-across} ${down}H${left + across}a${across} ${down} 0 0 1 ${-across} ${-down}V${top + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`
}
