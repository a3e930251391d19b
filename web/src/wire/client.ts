/** Requests over HTTP, typed by the server's own schema; a refusal is a value, as on the server. */
import { setBy } from './clock'
import type { components, paths } from './schema'

export type Schemas = components['schemas']
export type Refused = { reason: string; clause?: string | null; field?: string | null }
export type Answer<T> = { done: T; refused?: undefined } | { done?: undefined; refused: Refused; status: number }

type Method = 'get' | 'post' | 'delete' | 'put'
type Body<P, M extends Method> = P extends { [K in M]: { requestBody: { content: { 'application/json': infer B } } } } ? B : undefined
type Ok<P, M extends Method> = P extends { [K in M]: { responses: infer R } }
  ? R extends { 200: { content: { 'application/json': infer T } } } ? T : undefined
  : never

export const UNREACHABLE: Refused = { reason: 'The server does not answer. It may be restarting; try again in a moment.' }

/** Ask the server; `{name}` in a path is filled from the given values, the rest of them goes into the query. */
export async function ask<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  { values = {}, body }: { values?: Record<string, string | number | boolean | undefined | null>; body?: Body<paths[P], M> } = {},
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
  return send(method, address, body)
}

async function send<T>(method: string, address: string, body: unknown): Promise<Answer<T>> {
  const sent = Date.now()
  let answer: Response
  let data
  try {
    answer = await fetch(address, {
      method: method.toUpperCase(),
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    data = isJson && answer.status !== 204 ? await answer.json() : undefined
  } catch {
    return { refused: UNREACHABLE, status: 0 }
  }
  setBy(answer.headers.get('date'), sent)
  if (answer.ok) return { done: data as T }
  return { refused: data?.refused ?? { reason: `The server answered ${answer.status}.` }, status: answer.status }
}

/** Return an id that no other command has. */
export function freshId(): string {
  return crypto.randomUUID()
}

const unanswered = new Map<string, string>() // the ids of commands that may have been carried out unheard

/** Give a command, under its first id for as long as nobody has answered it: the same id counts once. */
export async function once<T>(command: unknown, give: (id: string) => Promise<Answer<T>>): Promise<Answer<T>> {
  const named = JSON.stringify(command)
  const id = unanswered.get(named) ?? freshId()
  const answer = await give(id)
  // Whoever stands in for a server that is away, such as a proxy, cannot say what became of the command either.
  if (answer.refused && (answer.status === 0 || answer.status >= 500)) unanswered.set(named, id)
  else unanswered.delete(named)
  return answer
}

/** Give a command of the back office. */
export function atOffice(body: Record<string, unknown>): Promise<Answer<Schemas['Settled']>> {
  return once(body, (id) => ask('post', '/api/office/commands', { body: { id, body } }))
}

/** Give a command at a table over HTTP, for pages that do not follow the table. */
export function atTable(table: string, body: Record<string, unknown>, token: number | null = null): Promise<Answer<Schemas['Acknowledged']>> {
  return once({ table, body, token }, (id) => ask('post', '/api/tables/{table}/commands', { values: { table }, body: { id, body, token } }))
}
