/** The two people a proposal needs, and what the user may do about it. */
import { ask, type Schemas } from '../wire/client'

type Granted = Schemas['CommandGranted']
export type Part = { confirms: boolean; declines: boolean; by: string[] }

const LEASE = 'lease'
const GRANTED_AS: Record<string, string> = { ActForAbsent: 'RuleAbsence', BuyIn: 'TakeMuchCash', IssueMoney: 'MoveMuchMoney', RedeemMoney: 'MoveMuchMoney', SellChips: 'MoveMuchMoney', RedeemChips: 'MoveMuchMoney', GiveLink: 'GiveAccess', GivePassword: 'GiveAccess' } // these take two people only in some cases
const PROGRAM = 'automaton'
let known: Granted[] | null = null // the same for everybody

/** Return who may give which command; loaded once. */
export async function granted(): Promise<Granted[]> {
  known ??= (await ask('get', '/api/roles')).done?.commands ?? null
  return known ?? []
}

/** Return whether these roles may confirm or decline someone's proposal, and which roles may confirm it. */
export function partIn(proposal: Schemas['Waiting'], all: Granted[], own: { roles: readonly string[]; holdsPlace: boolean; isOffice: boolean }): Part {
  // Any other two-person command voids wagers at a table, or changes a meter in the back office.
  const named = (kind: string) => all.find((grantedCommand) => grantedCommand.command === kind && grantedCommand.second)
  const kind = String(proposal.body.kind)
  const isDeparture = proposal.body.irregularity === 'player-left' // the dealer and the floor confirm the absence
  const command = named(proposal.permission ?? '') ?? named(isDeparture ? 'RuleAbsence' : (GRANTED_AS[kind] ?? kind)) ?? named(own.isOffice ? 'ChangeProgressive' : 'VoidRound')
  if (!command?.second) return { confirms: false, declines: false, by: [] }
  const [first, second] = [command.grants, command.second]
  const isOpen = (grants: Record<string, string[]>) => own.roles.some((role) => grants[role] && (own.holdsPlace || !grants[role].includes(LEASE)))
  const others = [...(proposal.role in first ? [second] : []), ...(proposal.role in second ? [first] : [])]
  return {
    confirms: others.some(isOpen),
    declines: isOpen(first) || isOpen(second),
    by: [...new Set(others.flatMap((grants) => Object.keys(grants)))].filter((role) => role !== PROGRAM),
  }
}
