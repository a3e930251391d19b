import type { Words } from '..'
import { dollars } from '../money'

export const coach: Words['coach'] = {
  title: 'Asesor',
  waits: 'El asesor le aconsejará cuando sea su turno.',
  discarding: (move, card) => `${move}, descartando ${card}`,
  best: 'la mejor',
  equal: 'igual de buena',
  costs: (cents) => `cuesta ${dollars(cents)}`,
  costsUnits: (units) => `cuesta ${units} de un Ante`,
  last: 'Última decisión',
  lastBest: (action) => `${action}: la mejor jugada.`,
  lastCost: (action, cents, best) => `${action} costó ${dollars(cents)}; la mejor jugada era ${best}.`,
  total: 'Esta sesión',
  totalOf: (cents, decisions, right) => `La mejor jugada en ${right} de ${decisions} ${decisions === 1 ? 'decisión' : 'decisiones'}. Costo total: ${dollars(cents)}.`,
  chartSays: 'La guía:',
  simplified: (action, units) => `La guía simplifica esta decisión: ${action} cuesta ${units} de un Ante aquí.`,
  chart: 'Mostrar la guía',
  hideChart: 'Ocultar la guía',
  square: 'su mano',
  shorthand: 'Cómo leerla: dos valores son dos cartas (T es un diez), así que 33 es un par de treses. “s” significa del mismo palo; “o”, de distinto palo; y “+”, esta mano y todas las mejores de su tipo.',
  times: '2x, 3x, 4x: subir esa cantidad de veces el Ante.',
  unit: 'Los valores están en unidades del Ante, contados sobre todos los repartos posibles.',
}
