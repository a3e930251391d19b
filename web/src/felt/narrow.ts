/** The felt on a narrow screen: one seat large at the bottom, the others as counters, dealer and board above. */
import { laid, type Laid, type Plan, type Rules, type Scene, type Spot } from './measure'
import { DESIGN, drawn, OWN_NARROW } from './seat-plan'

const WIDTH = 390

/** Return the plan of a narrow felt. */
export function narrow(rules: Rules, scene: Scene): Plan {
  const has = (place: string) => rules.places.find((tablePlace) => tablePlace.place === place)
  const [dealer, board, box] = [has('dealer'), has('board'), has('box')]
  const places: Laid[] = []
  if (dealer) places.push(laid(dealer, { middle: box ? 112 : 195, y: 40, width: board ? 44 : 52, most: box ? 150 : 340 }))
  if (box) places.push(laid(box, { middle: 284, y: 46, width: 38, most: 170 }))
  if (board) places.push(laid(board, { middle: 195, y: box ? 134 : dealer ? 122 : 44, width: 54, most: 340 }))
  const top = Math.max(...places.map((place) => place.below)) + 24
  const { spots, below } = scene.mySeat === null ? grid(rules, top) : ownFirst(rules, scene.mySeat, scene, top)
  return {
    width: WIDTH,
    height: below + 16,
    isNarrow: true,
    places,
    spots,
    tray: { x: 105, y: 13, width: 180, height: 19 },
    shoe: { x: 330, y: 12, width: 44, height: 22 },
    rack: { x: 16, y: 12, width: 44, height: 22 },
    printed: [],
  }
}

function grid(rules: Rules, top: number): { spots: Spot[]; below: number } {
  const rows = rules.seats > 1 ? 2 : 1
  const columns = Math.ceil(rules.seats / rows)
  const room = 374 / Math.max(columns, 2)
  const seatPlan = drawn(rules, DESIGN.other)
  const scale = (room - 4) / seatPlan.width
  const spots = Array.from({ length: rules.seats }, (_, index) => {
    const column = index % columns
    const row = Math.floor(index / columns)
    const x = 195 + room * (columns / 2 - column - 0.5)
    return { seat: index + 1, size: 'other' as const, x, y: top + row * (seatPlan.height * scale + 16), scale, turn: 0, plan: seatPlan }
  })
  return { spots, below: top + rows * (seatPlan.height * scale + 16) }
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
  const y = others.length ? top + counter.height + 6 : top
  spots.push({ seat: mySeat, size: 'own', x: 195, y, scale: 1, turn: 0, plan: own })
  return { spots, below: y + own.height }
}
