import { dollars } from '../money'

export const coach = {
  title: 'Coach',
  waits: 'The coach has advice when it’s your turn.',
  best: 'best',
  discarding: (move: string, card: string) => `${move}, discard ${card}`,
  equal: 'equally good',
  costs: (cents: number) => `costs ${dollars(cents)}`,
  costsUnits: (units: string) => `costs ${units} of an Ante`,
  last: 'Last decision',
  lastBest: (action: string) => `${action}: the best play.`,
  lastCost: (action: string, cents: number, best: string) => `${action} cost ${dollars(cents)}; the best play was ${best}.`,
  total: 'This session',
  totalOf: (cents: number, decisions: number, right: number) => `Best play in ${right} of ${decisions} ${decisions === 1 ? 'decision' : 'decisions'}. Total cost: ${dollars(cents)}.`,
  chartSays: 'The chart:',
  simplified: (action: string, units: string) => `The chart keeps this decision simple: ${action} costs ${units} of an Ante here.`,
  chart: 'Show the chart',
  hideChart: 'Hide the chart',
  square: 'your hand',
  shorthand: 'How to read it: two ranks are two cards (T is a ten), so 33 is a pair of threes. s means suited, o means offsuit, and + means this hand and every better one of its kind.',
  times: '2x, 3x, 4x: raise that many times the Ante.',
  unit: 'Values are in units of the Ante, counted over every possible deal.',
}
