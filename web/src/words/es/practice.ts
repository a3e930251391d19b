import type { Words } from '..'
import { capitalized } from '../phrases'

export const practice: Words['practice'] = {
  title: 'Práctica',
  about: 'Decisiones difíciles, una tras otra. Elija una acción; el laboratorio la califica y la explica.',
  game: 'Juego',
  board: 'Cartas comunitarias',
  hand: 'Sus cartas',
  next: 'Siguiente mano',
  again: 'Empezar de nuevo',
  dealing: 'Buscando una mano difícil…',
  dealAgain: 'Repartir de nuevo',
  score: 'Puntuación',
  mean: (hands) => `de 100 en promedio, ${hands} ${hands === 1 ? 'mano' : 'manos'}`,
  bestOnes: 'Mejores respuestas',
  right: (right, hands) => `${right} de ${hands}`,
  costAll: 'Costo total',
  cost: (units) => `${units} de un Ante`,
  last: 'Respuestas recientes',
  bestWas: (best) => `mejor: ${best}`,
  none: 'Sus respuestas aparecen aquí con lo que valió cada una.',
  verdict: { best: 'La mejor respuesta.', close: 'Cerca, pero no es la mejor.', wrong: 'No es la mejor.' },
  lost: (units, best) => `${best} es mejor por ${units} de un Ante.`,
  question: (asked) => capitalized(asked),
  discard: (card) => `descartar ${card}`,
  how: 'Haga clic en una acción o presione su número. N reparte la siguiente mano. Un error leve cuesta poco y uno grave cuesta más: la puntuación muestra cuánto.',
  key: (number) => `tecla ${number}`,
}
