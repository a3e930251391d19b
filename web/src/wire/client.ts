/** Requests over HTTP, typed by the server's own schema; a refusal is a value, as on the server. */
import { isIdle } from './activity'
import { setBy } from './clock'
import type { components, paths } from './schema'
import { words } from '../words'

export type Schemas = components['schemas']
export type Refused = { reason: string; clause?: string | null; field?: string | null; passkey?: Record<string, unknown> | null }
/** The language of a refusal: the server writes English, and its refusals always have a clause, if only null. */
export const languageOf = (refused: Refused): string | undefined => ('clause' in refused ? 'en' : undefined)

export type Answer<T> = { done: T; refused?: undefined } | { done?: undefined; refused: Refused; status: number }

type Method = 'get' | 'post' | 'delete' | 'put'
type Body<P, M extends Method> = P extends { [K in M]: { requestBody: { content: { 'application/json': infer B } } } } ? B : undefined
type Ok<P, M extends Method> = P extends { [K in M]: { responses: infer R } }
  ? R extends { 200: { content: { 'application/json': infer T } } } ? T : undefined
  : never

/** The refusal shown when a request didn't reach the server. */
export const unreachable = (): Refused => ({ reason: words.shell.unreachable })

/** The refusal shown when the server failed without giving a reason. */
export const failed = (status: number): Refused => ({ reason: words.shell.failed(status) })

/** Send a request; `{name}` in a path is filled from the values, the others go into the query. One that outlives the page is sent even if the page is closed at once. */
export async function ask<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  { values = {}, body, outlives = false }: { values?: Record<string, string | number | boolean | undefined | null>; body?: Body<paths[P], M>; outlives?: boolean } = {},
): Promise<Answer<Ok<paths[P], M>>> {
  const left = { ...values }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left[name])
    delete left[name]
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(left)) if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const address = query.size ? `${filled}?${query}` : filled
  return send(method, address, body, outlives)
}

const LOCKED = 423
const hearers: (() => void)[] = []

/** Run this when the server says that the console is locked. */
export function whenLocked(hear: () => void): void {
  hearers.push(hear)
}

async function send<T>(method: string, address: string, body: unknown, keepalive = false): Promise<Answer<T>> {
  const sent = Date.now()
  let answer: Response
  let data
  try {
    answer = await fetch(address, {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      keepalive,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(isIdle() ? { 'x-pitboss-idle': '1' } : {}) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    data = isJson && answer.status !== 204 ? await answer.json() : undefined
  } catch {
    return { refused: unreachable(), status: 0 }
  }
  setBy(answer.headers.get('date'), sent)
  if (answer.status === LOCKED) hearers.forEach((hear) => hear())
  if (answer.ok) return { done: data as T }
  return { refused: data?.refused ?? failed(answer.status), status: answer.status }
}

/** Return a fresh command id. */
export function freshId(): string {
  return crypto.randomUUID()
}

const unanswered = new Map<string, string>() // ids of commands that may have been carried out without an answer

/** Send a command; a retry keeps its id until it is answered, because the same id counts once. */
export async function once<T>(command: unknown, give: (id: string) => Promise<Answer<T>>): Promise<Answer<T>> {
  const named = JSON.stringify(command)
  const id = unanswered.get(named) ?? freshId()
  const answer = await give(id)
  // A proxy that answers for an unavailable server can't say what became of the command either.
  if (answer.refused && (answer.status === 0 || answer.status >= 500)) unanswered.set(named, id)
  else unanswered.delete(named)
  return answer
}

/** Send a command to the back office. */
export function atOffice(body: Record<string, unknown>): Promise<Answer<Schemas['Settled']>> {
  return once(body, (id) => ask('post', '/api/office/commands', { body: { id, body } }))
}

/** Send a command to a table over HTTP, for pages that don't follow the table. */
export function atTable(table: string, body: Record<string, unknown>, token: number | null = null): Promise<Answer<Schemas['Acknowledged']>> {
  return once({ table, body, token }, (id) => ask('post', '/api/tables/{table}/commands', { values: { table }, body: { id, body, token } }))
}
