/** Requests to the lab, retried while it warms up or calculates, until it answers or the answer is no longer wanted. */
import { words } from '../words'
import { failed, unreachable, type Answer } from './client'

const NOT_YET = 202
const AGAIN_MS = 700

export type Waits = { isWanted?: () => boolean; onwait?: (sentence: string) => void }

/** Ask until there is an answer; null when it is no longer wanted. */
export async function untilAnswered<T>(asking: () => Promise<Answer<T>>, { isWanted = () => true, onwait }: Waits = {}): Promise<Answer<T> | null> {
  for (;;) {
    const answer = await asking()
    if (!isWanted()) return null
    if (!isNotYet(answer.done)) return answer
    onwait?.(words.lab.waits)
    await new Promise((done) => setTimeout(done, AGAIN_MS))
    if (!isWanted()) return null
  }
}

// An answer that isn't ready yet has the form of a refusal, with a success status.
function isNotYet(done: unknown): boolean {
  return typeof done === 'object' && done !== null && 'refused' in done && done.refused != null
}

/** Download a file from the lab; return why it failed, or null. */
export function download(address: string, body: unknown, name: string): Promise<string | null> {
  return fetched(address, body, name).catch(() => unreachable().reason)
}

async function fetched(address: string, body: unknown, name: string): Promise<string | null> {
  for (;;) {
    const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    if (answer.status === NOT_YET) {
      await new Promise((done) => setTimeout(done, AGAIN_MS))
      continue
    }
    if (!answer.ok) return (await answer.json().catch(() => null))?.refused?.reason ?? failed(answer.status).reason
    keep(await answer.blob(), name)
    return null
  }
}

/** Save data of this page as a file. */
export function keep(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Save data as JSON. */
export function keepJson(data: unknown, name: string): void {
  keep(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), name)
}
