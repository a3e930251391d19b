/** What irregularities are called. */
import { words } from '.'
import { spelledOut } from './phrases'

/** An irregularity by its name, such as a misdeal. */
export function irregularityTitle(name: string): string {
  return words.dealer.titles[name] ?? spelledOut(name)
}
