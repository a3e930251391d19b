/** What the felt is measured in: points, boxes, seats and places, and how one is seen from another. */
import type { Schemas } from '../wire/client'
import type { SeatPlan } from './seat-plan'

export type Rules = Schemas['TableRules']
export type Point = { x: number; y: number }
export type Box = Point & { width: number; height: number }

/** How a seat is drawn: the user's own large, others in full, or as a counter if space is short. */
export type SeatSize = 'own' | 'other' | 'counter'

/** A seat's position on the felt. */
export type Spot = Point & { seat: number; size: SeatSize; scale: number; turn: number; plan: SeatPlan }

/** Where the cards of a place lie: the left upper corner of each; how wide they and their title may be. */
export type Laid = { place: string; title: string; width: number; cards: Point[]; middle: number; below: number; most: number }

/** A line printed on the felt, along a curve. */
export type Printed = { text: string; isName: boolean; path: string }

export type Plan = {
  width: number
  height: number
  isNarrow: boolean
  spots: Spot[]
  places: Laid[]
  tray: Box
  shoe: Box
  rack: Box
  printed: Printed[]
}

export const TALL = 1.4 // a card's height by its width

/** What decides where things lie, besides the rules. */
export type Scene = {
  mySeat: number | null
  taken: number[]
  isNarrow: boolean
  /** The width there is, in pixels. */
  room: number
  /** The height there is on a phone, in pixels; none if the felt is as tall as its drawing. */
  tall?: number
  /** Whether cards are out: before that a narrow screen shows every area, after it the staked ones and the cards. */
  isDealt: boolean
  /** The wagers of the large seat that are staked. */
  staked: string[]
}

type Lay = { middle: number; y: number; width: number; most: number }

/** Return where the cards of a place lie; those that are turned together lie together. */
export function laid(place: Schemas['PlaceShown'], { middle, y, width, most }: Lay): Laid {
  const groups = place.groups.length ? place.groups : [place.cards]
  const natural = place.cards * (width + 6) - 6 + (groups.length - 1) * 12
  const step = natural <= most ? width + 6 : (most - width - (groups.length - 1) * 12) / (place.cards - 1)
  const whole = step * (place.cards - 1) + width + (groups.length - 1) * 12
  const cards: Point[] = []
  let x = middle - whole / 2
  for (const count of groups) {
    for (let index = 0; index < count; index++, x += step) cards.push({ x, y })
    x += 12
  }
  return { place: place.place, title: place.title, width, cards, middle, below: y + width * TALL, most }
}

/** Return a point of the felt in a seat's own measure: where a card or chip comes from. */
export function seenFrom(spot: Spot, point: Point): Point {
  const angle = (-spot.turn * Math.PI) / 180
  const [x, y] = [point.x - spot.x, point.y - spot.y]
  return { x: (x * Math.cos(angle) - y * Math.sin(angle)) / spot.scale, y: (x * Math.sin(angle) + y * Math.cos(angle)) / spot.scale }
}

/** Return a point of a seat's own measure on the felt. */
export function onFelt(spot: Spot, point: Point): Point {
  const angle = (spot.turn * Math.PI) / 180
  const [x, y] = [point.x * spot.scale, point.y * spot.scale]
  return { x: spot.x + x * Math.cos(angle) - y * Math.sin(angle), y: spot.y + x * Math.sin(angle) + y * Math.cos(angle) }
}

/** Return the middle of a box. */
export function middle(box: Box): Point {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
