/** How cards and chips move: only transforms and opacity, never blocking input. */
import { cubicOut } from 'svelte/easing'
import type { TransitionConfig } from 'svelte/transition'
import { preferences } from '../preferences.svelte'
import type { Point } from './geometry'

const DEAL_MS = 180
const TURN_MS = 140
const CHIPS_MS = 220
const BETWEEN_MS = 70 // cards of one stack follow each other

/** The path of a move, in the coordinates of its target. */
export type Way = { by: Point; order?: number; isStill?: boolean }

/** Slide a card in from the shoe, or out to the discard rack. */
export function dealt(_: Element, { by, order = 0, isStill = false }: Way): TransitionConfig {
  return slide(by, DEAL_MS, order * BETWEEN_MS, isStill)
}

/** Slide chips to or from the tray or their owner. */
export function moved(_: Element, { by, isStill = false }: Way): TransitionConfig {
  return slide(by, CHIPS_MS, 0, isStill)
}

/** Turn a card over: the second half, in which the new face opens. */
export function turned(_: Element, { width, isStill = false }: { width: number; isStill?: boolean }): TransitionConfig {
  if (isStill || !preferences.moves) return { duration: 0 }
  return {
    duration: TURN_MS * preferences.slowness,
    easing: cubicOut,
    css: (t) => `transform: translateX(${((1 - t) * width) / 2}px) scaleX(${t})`,
  }
}

function slide(by: Point, duration: number, delay: number, isStill: boolean): TransitionConfig {
  if (isStill || !preferences.moves) return { duration: 0 }
  return {
    duration: duration * preferences.slowness,
    delay: delay * preferences.slowness,
    easing: cubicOut,
    css: (t, u) => `transform: translate(${by.x * u}px, ${by.y * u}px); opacity: ${Math.min(1, t * 2.5)}`,
  }
}
