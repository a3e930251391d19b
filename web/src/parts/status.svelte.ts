/** A status line: what was just done, gone a few seconds later, so that it never outlives its action. */
const SHOWN_MS = 12_000

export class Status {
  text = $state('')
  private timer: ReturnType<typeof setTimeout> | undefined

  /** Show what was done; nothing clears the line. */
  say(text: string): void {
    clearTimeout(this.timer)
    this.text = text
    if (text) this.timer = setTimeout(() => (this.text = ''), SHOWN_MS)
  }
}
