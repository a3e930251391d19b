import { dollars } from '../money'

export const coach = {
  title: 'Coach',
  waits: 'The coach speaks when it is your turn.',
  best: 'best',
  equal: 'as good',
  costs: (cents: number) => `costs ${dollars(cents)}`,
  costsUnits: (units: string) => `costs ${units}`,
  last: 'Last decision',
  lastBest: (action: string) => `${action}: the best there was.`,
  lastCost: (action: string, cents: number, best: string) => `${action} cost ${dollars(cents)}; best was ${best}.`,
  total: 'This session',
  totalOf: (cents: number, decisions: number, right: number) =>
    `${right} of ${decisions} best. Decisions cost ${dollars(cents)} in all.`,
  rule: 'Rule',
  says: (action: string) => `says: ${action}`,
  otherwise: 'in all other cases',
  chart: 'Show the chart',
  hideChart: 'Hide the chart',
  square: 'your hand',
  unit: 'Worth in units of the Ante, counted over every deal that can follow.',
} as const
