/** Requests to the lab, which may be warming up or at work: asked again until it answers or nobody waits any longer. */
import { ask, type Answer } from './client'

const TOO_EARLY = 425
const AGAIN_MS = 700

export type Waits = { isWanted?: () => boolean; onwait?: (reason: string) => void }

/** Ask until there is an answer; null when it is no longer wanted. */
export async function untilAnswered<T>(asking: () => Promise<Answer<T>>, { isWanted = () => true, onwait }: Waits = {}): Promise<Answer<T> | null> {
  for (;;) {
    const answer = await asking()
    if (!isWanted()) return null
    if (!answer.refused || answer.status !== TOO_EARLY) return answer
    onwait?.(answer.refused.reason)
    await new Promise((done) => setTimeout(done, AGAIN_MS))
    if (!isWanted()) return null
  }
}

/** Fetch a file of the lab and let the browser keep it; returns why it cannot be had. */
export async function download(address: string, body: unknown, name: string): Promise<string | null> {
  for (;;) {
    const answer = await fetch(address, { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    if (answer.status === TOO_EARLY) {
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

export { ask }
