/** The state of the house's controls, reloaded every two seconds, and commands about them. */
import { ask, atOffice, type Answer, type Refused, type Schemas } from '../../wire/client'

const EVERY_MS = 2_000

export class HouseControls {
  shown = $state.raw<Schemas['ControlsShown'] | null>(null)
  refused = $state.raw<Refused | null>(null)
  looked = $state(0)

  private timer = window.setInterval(() => void this.look(), EVERY_MS)

  constructor() {
    void this.look()
  }

  get isOn(): boolean {
    return this.shown?.settings.money_controls === true
  }

  async look(): Promise<void> {
    const answer = await ask('get', '/api/controls')
    this.refused = answer.refused ?? null
    if (answer.done) this.shown = answer.done
    this.looked += 1
  }

  /** Give a command of the back office, and show what it changed. */
  async give(body: { kind: string } & Record<string, unknown>): Promise<Answer<Schemas['Settled']>> {
    const answer = await atOffice(body)
    await this.look()
    return answer
  }

  stop(): void {
    clearInterval(this.timer)
  }
}
