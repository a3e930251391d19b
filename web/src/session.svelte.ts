/** Who is signed in, and what they may do. */
import { ask, type Refused, type Schemas } from './wire/client'

type Me = Schemas['Me']

const AGAIN_MS = 1_000

class Session {
  me = $state.raw<Me | null>(null)
  isKnown = $state(false) // whether the server has said who is signed in
  isFreeHouse = $state(false) // whether every table here is for free play
  isLeaving = false // whether the person is signing out
  private forgetting: (() => void)[] = []

  /** Ask the server who is signed in, and what kind of house this is; what it does not answer stays as it was known. */
  async look(): Promise<void> {
    const asked = this.me?.name
    const [person, tables] = await Promise.all([ask('get', '/api/session'), ask('get', '/api/tables')])
    if (tables.done) this.isFreeHouse = tables.done.length > 0 && tables.done.every((one) => one.free_play)
    // Whoever came or went meanwhile is not in the answer.
    if (person.done && this.me?.name === asked) this.become(person.done.me)
    if (person.done && tables.done) this.isKnown = true
    else if (!this.isKnown) setTimeout(() => void this.look(), AGAIN_MS)
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
  entered(me: Me): void {
    this.become(me)
    this.isKnown = true
  }

  /** Take in that the server no longer knows the session. */
  ended(): void {
    this.isKnown = false
    void this.look()
  }

  /** Do something whenever another person comes to the page: what was one's own is not for the next. */
  whenOther(forget: () => void): void {
    this.forgetting.push(forget)
  }

  /** Return what the person holds for tables of a kind: play money, or money on deposit. */
  held(freePlay = false): number {
    return (freePlay ? this.me?.purse_cents : this.me?.deposit_cents) ?? 0
  }

  /** Sign out, or return why the server has not let go of the session. */
  async leave(): Promise<Refused | null> {
    this.isLeaving = true
    const answer = await ask('post', '/api/sign-out')
    this.isLeaving = false
    if (answer.refused && answer.status !== 401) return answer.refused
    this.become(null)
    return null
  }

  private become(me: Me | null): void {
    if (me?.name !== this.me?.name) this.forgetting.forEach((forget) => forget())
    this.me = me
  }
}

export const session = new Session()
