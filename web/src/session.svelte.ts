/** Who is signed in, and what they may do. */
import { isIdle } from './wire/activity'
import { ask, whenLocked, type Refused, type Schemas } from './wire/client'

type Me = Schemas['Me']

const AGAIN_MS = 1_000
const IDLE_LOOK_MS = 15_000 // how soon an idle page notices that the server has locked it

class Session {
  me = $state.raw<Me | null>(null)
  locked = $state.raw<Schemas['LockedSession'] | null>(null) // whose session is locked, behind which the page waits
  isKnown = $state(false) // whether the server has said who is signed in
  isFreeHouse = $state(false) // whether every table here is for free play
  admitsGuests = $state(false) // whether anyone may play as a guest
  sharesRounds = $state(false) // whether players may share links to finished rounds
  allowsReactions = $state(false) // whether seated players may send reactions
  isLeaving = false // whether the person is signing out
  private forgetting: (() => void)[] = []
  private waiting = new Set<() => void>() // for the console to be unlocked

  /** Ask the server who is signed in and whether all tables are free play; if it doesn't answer, keep what is known. */
  async look(): Promise<void> {
    const asked = this.me?.name
    const [person, tables] = await Promise.all([ask('get', '/api/session'), ask('get', '/api/tables')])
    if (tables.done) this.isFreeHouse = tables.done.length > 0 && tables.done.every((table) => table.free_play)
    // The answer is stale if someone signed in or out in the meantime.
    if (person.done) {
      this.admitsGuests = person.done.admits_guests
      this.sharesRounds = person.done.shares_rounds
      this.allowsReactions = person.done.allows_reactions
    }
    // What a locked page has loaded stays as it is, unseen.
    if (person.done) this.locked = person.done.locked ?? null
    if (person.done && !person.done.locked && this.me?.name === asked) this.become(person.done.me)
    if (person.done && tables.done) this.isKnown = true
    else if (!this.isKnown) setTimeout(() => void this.look(), AGAIN_MS)
  }

  /** Whether the user may use the lab and practice: anyone signed in, and anyone at all if every table is free play. */
  get mayUseLab(): boolean {
    return this.me !== null || this.isFreeHouse
  }

  /** Say whether the user has one of these roles. */
  is(...roles: string[]): boolean {
    return roles.some((role) => this.me?.roles.includes(role))
  }

  /** Take over the user the server signed in. */
  entered(me: Me): void {
    this.become(me)
    this.isKnown = true
  }

  /** Play as a guest: a new account with play money, signed in at once. Return why the server refused, or null. */
  async beGuest(): Promise<Refused | null> {
    const answer = await ask('post', '/api/guests')
    if (answer.done) this.entered(answer.done)
    return answer.refused ?? null
  }

  /** Ask for new play money. Return why the server refused, or null. */
  async refill(): Promise<Refused | null> {
    const answer = await ask('post', '/api/me/refill')
    if (answer.done) this.entered(answer.done)
    return answer.refused ?? null
  }

  /** Look again when the user comes back to this page: another tab may have spent money or signed out. */
  followTabs(): void {
    const back = () => !document.hidden && this.isKnown && void this.look()
    document.addEventListener('visibilitychange', back)
    addEventListener('focus', back)
    whenLocked(() => !this.locked && void this.look())
    setInterval(() => this.me?.locks_after_ms && isIdle() && !this.locked && void this.look(), IDLE_LOOK_MS)
  }

  /** Run this whenever the console is unlocked, until the returned function is called. */
  whenUnlocked(goOn: () => void): () => void {
    this.waiting.add(goOn)
    return () => this.waiting.delete(goOn)
  }

  /** Unlock the console with a PIN. Return why the server refused, or null. */
  async unlock(pin: string): Promise<Refused | null> {
    const answer = await ask('post', '/api/unlock', { body: { pin } })
    if (answer.done) {
      this.locked = null
      this.entered(answer.done)
      this.waiting.forEach((goOn) => goOn())
    } else if (answer.status === 401) await this.look()
    return answer.refused ?? null
  }

  /** React to a session that has ended on the server. */
  ended(): void {
    this.isKnown = false
    void this.look()
  }

  /** Run this when the user changes, so that the next one doesn't see the last one's data. */
  whenOther(forget: () => void): void {
    this.forgetting.push(forget)
  }

  /** Return the user's balance in play money or in money on deposit. */
  held(freePlay = false): number {
    return (freePlay ? this.me?.purse_cents : this.me?.deposit_cents) ?? 0
  }

  /** Sign out, or return why the server refused. */
  async leave(): Promise<Refused | null> {
    this.isLeaving = true
    const answer = await ask('post', '/api/sign-out', { outlives: true })
    this.isLeaving = false
    if (answer.refused && answer.status !== 401) return answer.refused
    this.locked = null
    this.become(null)
    return null
  }

  private become(me: Me | null): void {
    if (me?.name !== this.me?.name) this.forgetting.forEach((forget) => forget())
    this.me = me
  }
}

export const session = new Session()
