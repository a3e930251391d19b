/** When somebody last used this page: what it asks by itself meanwhile doesn't keep their session alive. */
const IDLE_AFTER_MS = 60_000
const USES = ['pointerdown', 'keydown', 'wheel', 'touchstart']
let usedAt = Date.now()

for (const kind of USES) globalThis.addEventListener?.(kind, () => (usedAt = Date.now()), { passive: true, capture: true })

/** Say whether nobody has used the page for a while. */
export function isIdle(): boolean {
  return Date.now() - usedAt > IDLE_AFTER_MS
}
