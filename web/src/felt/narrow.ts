/** The felt on a narrow screen: one seat large at the bottom, the others as counters, dealer and board above. */
import { laid, type Laid, type Plan, type Rules, type Scene, type Spot } from './measure'
import { DESIGN, drawn, legible, OWN_NARROW } from './seat-plan'

// A phone's felt is as wide as its pixels, so that print has its own size; a larger one is enlarged.
const WIDTH = { least: 320, most: 390 }
const SIDE = 8
const BELOW = 32 // free below one's own seat, where there is room
const SPARE_MOST = 0.3 // of the height; more would tear the table apart

/** Return the plan of a narrow felt. */
export function narrow(rules: Rules, scene: Scene): Plan {
  const has = (place: string) => rules.places.find((tablePlace) => tablePlace.place === place)
  const [dealer, board, box] = [has('dealer'), has('board'), has('box')]
  const width = Math.min(Math.max(Math.floor(scene.room), WIDTH.least), WIDTH.most)
  const middle = width / 2
  const places: Laid[] = []
  if (dealer) places.push(laid(dealer, { middle: box ? width * 0.29 : middle, y: 40, width: board ? 44 : 52, most: box ? width * 0.38 : width - 50 }))
  if (box) places.push(laid(box, { middle: width * 0.73, y: 46, width: 38, most: width * 0.43 }))
  if (board) places.push(laid(board, { middle, y: box ? 144 : dealer ? 122 : 44, width: 54, most: width - 50 }))
  const top = Math.max(...places.map((place) => place.below)) + 24
  const { spots: packed, below } = scene.mySeat === null ? grid(rules, width, top) : ownFirst(rules, width, scene.mySeat, scene, top)
  // A taller screen has room between the dealer, the other seats and one's own, which is at the lower edge.
  const wanted = ((scene.tall ?? 0) * width) / Math.max(scene.room, 1) - (below + 16)
  const spare = Math.min(Math.max(0, wanted), SPARE_MOST * below)
  const lower = Math.max(0, spare - BELOW)
  const spots = packed.map((spot) => ({ ...spot, y: spot.y + (spot.size === 'own' ? lower : lower / 2) }))
  return {
    width,
    height: below + 16 + spare,
    isNarrow: true,
    places,
    spots,
    tray: { x: middle - 90, y: 13, width: 180, height: 19 },
    shoe: { x: width - 60, y: 12, width: 44, height: 22 },
    rack: { x: 16, y: 12, width: 44, height: 22 },
    printed: [],
  }
}

function grid(rules: Rules, width: number, top: number): { spots: Spot[]; below: number } {
  const rows = rules.seats > 1 ? 2 : 1
  const columns = Math.ceil(rules.seats / rows)
  const room = (width - 2 * SIDE) / Math.max(columns, 2)
  const scale = (room - 4) / DESIGN.other.width
  const seatPlan = drawn(rules, legible(scale))
  const spots = Array.from({ length: rules.seats }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    const x = width / 2 + room * (columns / 2 - column - 0.5)
    return { seat: index + 1, size: 'other' as const, x, y: top + row * (seatPlan.height * scale + 16), scale, turn: 0, plan: seatPlan }
  })
  return { spots, below: top + rows * (seatPlan.height * scale + 16) }
}

function ownFirst(rules: Rules, width: number, mySeat: number, { isDealt, staked }: Scene, top: number): { spots: Spot[]; below: number } {
  const others = Array.from({ length: rules.seats }, (_, index) => index + 1).filter((seat) => seat !== mySeat)
  const room = (width - 2 * SIDE) / Math.max(others.length, 1)
  const counter = drawn(rules, { ...DESIGN.counter, width: Math.min(room - 2, DESIGN.counter.width) }, { hasAreas: false, hasCards: isDealt })
  const spots: Spot[] = others.map((seat, index) => ({
    seat,
    size: 'counter',
    x: width - SIDE - room * (index + 0.5),
    y: top,
    scale: 1,
    turn: 0,
    plan: counter,
  }))
  const own = drawn(rules, { ...OWN_NARROW, width: width - 24 }, { hasCards: isDealt, only: isDealt ? staked : null })
  const y = others.length ? top + counter.height + 6 : top
  spots.push({ seat: mySeat, size: 'own', x: width / 2, y, scale: 1, turn: 0, plan: own })
  return { spots, below: y + own.height }
}
