/** How a report's lines become cells. */
import { percent as share } from '../../words/figures'
import { dollars } from '../../words/money'

export type Column<Line> = {
  title: string
  says: (line: Line) => string
  tone?: (line: Line) => number // above zero is a gain of the house, below a loss
  isNumber?: boolean
  isName?: boolean
}

/** An exact amount of cents, given as a fraction, to the nearest cent. */
export function exact(cents: string): string {
  const [above, below = '1'] = cents.split('/')
  return dollars(Math.round(Number(above) / Number(below)) || 0) // a little below zero is no −$0
}

/** A percentage as a cell; empty if there is none. */
export function percent(value: number | null): string {
  return value === null ? '' : share(value / 100, 2)
}
