/** Who is signed in, and what they may do. */
import { ask, type Schemas } from './wire/client'

class Session {
  me = $state.raw<Schemas['Me'] | null>(null)
  isKnown = $state(false) // whether the server has said who is signed in

  /** Ask the server who is signed in. */
  async look(): Promise<void> {
    const answer = await ask('get', '/api/session')
    this.me = answer.done?.me ?? null
    this.isKnown = true
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

  /** Sign out. */
  async leave(): Promise<void> {
    await ask('post', '/api/sign-out')
    this.me = null
  }
}

export const session = new Session()
