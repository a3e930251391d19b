/** Requests to the lab, which may be warming up or at work: asked again until it answers or nobody waits any longer. */
import { UNREACHABLE, type Answer, type Refused } from './client'

const NOT_YET = 202
const AGAIN_MS = 700

export type Waits = { isWanted?: () => boolean; onwait?: (reason: string) => void }

/** Ask until there is an answer; null when it is no longer wanted. */
export async function untilAnswered<T>(asking: () => Promise<Answer<T>>, { isWanted = () => true, onwait }: Waits = {}): Promise<Answer<T> | null> {
  for (;;) {
    const answer = await asking()
    if (!isWanted()) return null
    const working = notYet(answer.done)
    if (working === null) return answer
    onwait?.(working)
    await new Promise((done) => setTimeout(done, AGAIN_MS))
    if (!isWanted()) return null
  }
}

// What is not there yet is told in the form of a refusal, under a status that is none.
function notYet(done: unknown): string | null {
  const refused = typeof done === 'object' && done !== null && 'refused' in done ? (done.refused as Refused) : null
  return refused?.reason ?? null
}

/** Fetch a file of the lab and let the browser keep it; returns why it cannot be had. */
export function download(address: string, body: unknown, name: string): Promise<string | null> {
  return fetched(address, body, name).catch(() => UNREACHABLE.reason)
}

async function fetched(address: string, body: unknown, name: string): Promise<string | null> {
  for (;;) {
    const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    if (answer.status === NOT_YET) {
      await new Promise((done) => setTimeout(done, AGAIN_MS))
      continue
    }
    if (!answer.ok) return (await answer.json().catch(() => null))?.refused?.reason ?? `The server answered ${answer.status}.`
    keep(await answer.blob(), name)
    return null
  }
}

/** Let the browser keep data of this page as a file. */
export function keep(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Keep data as JSON. */
export function keepJson(data: unknown, name: string): void {
  keep(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), name)
}
