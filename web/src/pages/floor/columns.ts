/** How a report's lines become cells. */
import { percent as share } from '../../words/figures'

export type Column<Line> = {
  title: string
  says: (line: Line) => string
  tone?: (line: Line) => number // above zero is a gain of the house, below a loss
  isNumber?: boolean
  isName?: boolean
}

/** A percentage as a cell; empty if there is none. */
export function percent(value: number | null): string {
  return value === null ? '' : share(value / 100, 2)
}
