import { dollars } from '../money'

export const coach = {
  title: 'Coach',
  waits: 'The coach speaks when it is your turn.',
  best: 'best',
  equal: 'as good',
  costs: (cents: number) => `costs ${dollars(cents)}`,
  costsUnits: (units: string) => `costs ${units} of an Ante`,
  last: 'Last decision',
  lastBest: (action: string) => `${action}: the best there was.`,
  lastCost: (action: string, cents: number, best: string) => `${action} cost ${dollars(cents)}; best was ${best}.`,
  total: 'This session',
  totalOf: (cents: number, decisions: number, right: number) =>
    `${right} of ${decisions} best. Decisions cost ${dollars(cents)} in all.`,
  rule: (sees: string[], action: string) => (sees.length ? `The chart’s rule here: ${sees.join(', ')}: ${action}.` : `The chart’s rule for all other cases: ${action}.`),
  chart: 'Show the chart',
  hideChart: 'Hide the chart',
  square: 'your hand',
  shorthand: 'How to read it: two letters or figures are two cards, T a ten, 33 a pair; s means of one suit, o of different suits, + this hand and every higher of its kind.',
  times: '2x, 3x, 4x: a raise of so many times the Ante.',
  unit: 'Worth in units of the Ante, counted over every deal that can follow.',
} as const
