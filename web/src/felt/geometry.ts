/** The positions of places, seats and betting areas on the felt, computed from the table's rules. */
import type { Plan, Rules, Scene } from './measure'
import { narrow } from './narrow'
import { wide } from './wide'

export { middle, seenFrom } from './measure'
export type { Box, Laid, Plan, Point, Rules, Scene, SeatSize, Spot } from './measure'
export type { Area } from './seat-plan'

/** Return the layout of the drawing; without a seat of the user's own, seats are spaced evenly. */
export function plan(rules: Rules, scene: Scene): Plan {
  return scene.isNarrow ? narrow(rules, scene) : wide(rules, scene)
}

/** Return the outline of the felt at some distance from its outer edge: straight on the dealer's side, round on the players'. */
export function outline({ width, height, isNarrow }: Plan, inset: number): string {
  const [left, right, top, bottom] = [inset, width - inset, inset, height - inset]
  const corner = 28 - inset
  if (isNarrow) return `M${left + corner} ${top}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${bottom - corner}a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${left + corner}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}V${top + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`
  const [across, down] = [170 - inset, 120 - inset]
  return `M${left + corner} ${top}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}V${bottom - down}a${across} ${down} 0 0 1 ${-across} ${down}H${left + across}a${across} ${down} 0 0 1 ${-across} ${-down}V${top + corner}a${corner} ${corner} 0 0 1 ${corner} ${-corner}Z`
}
