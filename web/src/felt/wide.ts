/** The felt on a wide screen: the dealer's places in a row, inscriptions under them, the seats along the rail. */
import { laid, onFelt, type Box, type Laid, type Plan, type Rules, type Scene, type Spot } from './measure'
import { DESIGN, drawn, legible, type SeatPlan } from './seat-plan'

const WIDTH = 1000
const MIDDLE = WIDTH / 2
const SIDE = 34 // from the outer edge to the first seat
const ROW = 64 // where the dealer's places begin
const OWN_HEIGHT = { least: 560, most: 640 } // of a felt with the user's own seat; more where the screen has it
const PRINTED_FROM = 850 // pixels of width: on a phone the sentences of the layout could not be read
const RAIL = 34 // from the lower edge to the lowest seat
const CORNER = 56 // distance of the user's own seat from the round corners
const ABOVE_RAIL = 34 // how much farther from the edge other seats end than the user's own
const LINE = 16
const MOST_LETTERS = 108 // of an inscription's line
const LETTER = 5.9 // how wide one is, generously
const WEIGHT = { taken: 165, empty: 104 } // what another seat takes of the players' side, once one has sat down
const MOST_SCALE = { own: 1.18, lying: 1.35, alike: 1.15, taken: 1.05, empty: 0.86 }
const TURN = 6 // degrees, of the seat farthest to a side

/** Return the plan of a wide felt. */
export function wide(rules: Rules, scene: Scene): Plan {
  const places = inRow(rules)
  const below = Math.max(ROW + 40, ...places.map((place) => place.below)) + 18
  const texts = scene.tall && scene.room < PRINTED_FROM ? [] : lines(rules)
  const top = below + texts.length * LINE + (texts.length ? 18 : scene.tall ? 16 : 10)
  // The seats at the sides move up as far as there is room above them.
  for (let depth = 96; ; depth -= 6) {
    const curve = Math.min(depth, 24)
    const spots = scene.mySeat === null ? alike(rules, scene, top, depth) : aroundOwn(rules, scene, top, depth)
    const taken = [...places.map(reach), ...texts.flatMap((text, index) => letters(text, below + 16 + index * LINE, curve))]
    if (depth > 0 && spots.some((spot) => taken.some((box) => meets(spot, box)))) continue
    return {
      width: WIDTH,
      height: scene.mySeat === null ? Math.max(420, ...spots.map((spot) => spot.y + spot.plan.height * spot.scale)) + RAIL - 6 : ownHeight(scene),
      isNarrow: false,
      places,
      spots,
      tray: { x: MIDDLE - 150, y: 16, width: 300, height: 34 },
      shoe: { x: 846, y: 18, width: 70, height: 34 },
      rack: { x: 84, y: 18, width: 70, height: 34 },
      printed: texts.map((text, index) => ({ text, isName: text === rules.facility, path: along(below + 16 + index * LINE, curve) })),
    }
  }
}

/** The board in front of the chip tray, the dealer's hand and the bonus cards beside it; a single place is larger. */
function inRow(rules: Rules): Laid[] {
  if (rules.places.length === 1) {
    const [place] = rules.places
    return [laid(place!, { middle: MIDDLE, y: ROW, width: Math.min(72, 460 / place!.cards - 6), most: 460 })]
  }
  const found: Laid[] = []
  const has = (name: string) => rules.places.find((place) => place.place === name)
  const [dealer, board, box] = [has('dealer'), has('board'), has('box')]
  if (board) found.push(laid(board, { middle: MIDDLE, y: ROW, width: 60, most: 340 }))
  if (dealer) found.push(laid(dealer, { middle: 238, y: ROW, width: 60, most: 140 }))
  if (box) found.push(laid(box, { middle: 790, y: ROW + 16, width: 48, most: 210 }))
  return found
}

/** The house's name on its own line, then the sentences, with short ones together. */
function lines(rules: Rules): string[] {
  const texts = rules.inscriptions.map((inscription) => inscription.text || inscription.alternative)
  const found = texts.filter((inscribed) => inscribed === rules.facility)
  let line = ''
  for (const text of texts.filter((inscribed) => inscribed !== rules.facility)) {
    const joined = line ? `${line}  ·  ${text}` : text
    if (joined.length > MOST_LETTERS && line) {
      found.push(line)
      line = text
    } else line = joined
  }
  return line ? [...found, line] : found
}

function lift(x: number, depth: number): number {
  const aside = (x - MIDDLE) / 482
  return depth * aside * aside
}

/** A parabola over the middle, as a path. */
function along(y: number, depth: number): string {
  const half = (MOST_LETTERS * LETTER) / 2 + 40
  const up = lift(MIDDLE + half, depth)
  return `M${MIDDLE - half} ${y - up}Q${MIDDLE} ${y + up} ${MIDDLE + half} ${y - up}`
}

/** A phone on its side gives its own height: the user's seat is drawn larger in it. */
function ownHeight({ tall, room }: Scene): number {
  return Math.min(Math.max(OWN_HEIGHT.least, (WIDTH * (tall ?? 0)) / Math.max(room, 1)), OWN_HEIGHT.most)
}

/** The seats when none is drawn large. */
function alike(rules: Rules, scene: Scene, top: number, depth: number): Spot[] {
  const room = (WIDTH - 2 * SIDE) / Math.max(rules.seats, 4)
  const scale = Math.min((room - 6) / DESIGN.other.width, MOST_SCALE.alike)
  const seatPlan = named(rules, scene, scale)
  return fromLeft(rules).map((seat, index) => {
    const x = MIDDLE + (index - (rules.seats - 1) / 2) * room
    return { seat, size: 'other', x, y: top - lift(x, depth), scale, turn: turnAt(x), plan: seatPlan }
  })
}

/** The user's own seat large, the others beside it in order, taken ones with more room; all end at the rail. */
function aroundOwn(rules: Rules, scene: Scene, top: number, depth: number): Spot[] {
  const { mySeat, taken } = scene
  const own = drawn(rules, DESIGN.own)
  const bottom = ownHeight(scene) - RAIL
  const ownScale = Math.min(scene.tall ? MOST_SCALE.lying : MOST_SCALE.own, (bottom - top) / own.height)
  const ownRoom = own.width * ownScale + 24
  const weights = fromLeft(rules).filter((seat) => seat !== mySeat).map((seat) => WEIGHT[taken.includes(seat) ? 'taken' : 'empty'])
  const wanted = weights.reduce((sum, weight) => sum + weight, 0)
  const [atLeft, atRight] = [mySeat === rules.seats ? CORNER : 0, mySeat === 1 ? CORNER : 0]
  const share = Math.min((WIDTH - 2 * SIDE - ownRoom - atLeft - atRight) / Math.max(wanted, 1), 1)
  let left = Math.max(MIDDLE - (ownRoom + share * wanted) / 2, SIDE + atLeft)
  left = Math.min(left, WIDTH - SIDE - atRight - ownRoom - share * wanted)
  return fromLeft(rules).map((seat) => {
    const isOwn = seat === mySeat
    const kind = taken.includes(seat) ? 'taken' : 'empty'
    const room = isOwn ? ownRoom : share * WEIGHT[kind]
    const x = left + room / 2
    left += room
    if (isOwn) return { seat, size: 'own', x, y: bottom - own.height * ownScale, scale: ownScale, turn: 0, plan: own }
    const scale = Math.min((room - 8) / DESIGN.other.width, MOST_SCALE[kind])
    const other = named(rules, scene, scale)
    return { seat, size: 'other', x, y: bottom - ABOVE_RAIL - other.height * scale - lift(x, depth), scale, turn: turnAt(x), plan: other }
  })
}

/** Another seat at a scale, with legible cards and names. */
function named(rules: Rules, { room }: Scene, scale: number): SeatPlan {
  return drawn(rules, legible((scale * room) / WIDTH))
}

/** Seat 1 is at the dealer's far left: on the right, seen from the players' side. */
function fromLeft(rules: Rules): number[] {
  return Array.from({ length: rules.seats }, (_, index) => rules.seats - index)
}

function turnAt(x: number): number {
  return (-TURN * (x - MIDDLE)) / 482
}

function reach(place: Laid): Box {
  const [first, last] = [place.cards[0]!, place.cards.at(-1)!]
  const across = Math.max(last.x + place.width - first.x, 190) // what the dealer holds is said under the cards
  return { x: place.middle - across / 2, y: 0, width: across, height: place.below + 20 }
}

function letters(text: string, y: number, depth: number): Box[] {
  const half = (text.length * LETTER) / 2
  const parts = Math.ceil(half / 20)
  const step = (2 * half) / parts
  return Array.from({ length: parts }, (_, index) => {
    const x = MIDDLE - half + index * step
    return { x, y: y - lift(x + step / 2, depth) - 10, width: step, height: 15 }
  })
}

/** Whether a seat's rotated rectangle overlaps an upright box. */
function meets(spot: Spot, box: Box): boolean {
  const half = spot.plan.width / 2
  const seat = [{ x: -half, y: -4 }, { x: half, y: -4 }, { x: half, y: spot.plan.height }, { x: -half, y: spot.plan.height }].map((corner) => onFelt(spot, corner))
  const other = [{ x: box.x, y: box.y }, { x: box.x + box.width, y: box.y }, { x: box.x + box.width, y: box.y + box.height }, { x: box.x, y: box.y + box.height }]
  const angle = (spot.turn * Math.PI) / 180
  const axes = [{ x: 1, y: 0 }, { x: 0, y: 1 }, { x: Math.cos(angle), y: Math.sin(angle) }, { x: -Math.sin(angle), y: Math.cos(angle) }]
  return axes.every((axis) => {
    const [a, b] = [seat, other].map((corners) => corners.map((corner) => corner.x * axis.x + corner.y * axis.y))
    return Math.max(...a!) > Math.min(...b!) && Math.max(...b!) > Math.min(...a!)
  })
}
