/** Who is signed in, and what they may do. */
import { ask, type Schemas } from './wire/client'

class Session {
  me = $state.raw<Schemas['Me'] | null>(null)
  isKnown = $state(false) // whether the server has said who is signed in
  isFreeHouse = $state(false) // whether every table here is for free play

  /** Ask the server who is signed in, and for a stranger what kind of house this is. */
  async look(): Promise<void> {
    const answer = await ask('get', '/api/session')
    this.me = answer.done?.me ?? null
    await this.lookAround()
    this.isKnown = true
  }

  /** Whether the lab and the practice answer: to anybody signed in, and to strangers where nothing but free play goes on. */
  get mayUseLab(): boolean {
    return this.me !== null || this.isFreeHouse
  }

  /** Say whether somebody of one of these roles is signed in. */
  is(...roles: string[]): boolean {
    return roles.some((one) => this.me?.roles.includes(one))
  }

  /** Take over who the server says was let in. */
  entered(me: Schemas['Me']): void {
    this.me = me
    this.isKnown = true
  }

  /** Return what the person holds for tables of a kind: play money, or money on deposit. */
  held(freePlay = false): number {
    return (freePlay ? this.me?.purse_cents : this.me?.deposit_cents) ?? 0
  }

  /** Sign out. */
  async leave(): Promise<void> {
    await ask('post', '/api/sign-out')
    await this.lookAround()
    this.me = null
  }

  private async lookAround(): Promise<void> {
    const tables = (await ask('get', '/api/tables')).done ?? []
    this.isFreeHouse = tables.length > 0 && tables.every((one) => one.free_play)
  }
}

export const session = new Session()
