/** The staff's full names and badges, for pages that name who did something. */
import { session } from '../session.svelte'
import { ask, type Schemas } from '../wire/client'

class StaffNames {
  private names = $state.raw<Record<string, Schemas['StaffName']>>({})
  private of = '' // whose session asked

  constructor() {
    session.whenOther(() => {
      this.names = {}
      this.of = ''
    })
  }

  /** Ask for the names once for each user, where the user is one of the staff. */
  async look(): Promise<void> {
    const me = session.me
    if (!me || this.of === me.name || me.roles.every((role) => role === 'player')) return
    this.of = me.name
    const answer = await ask('get', '/api/people/staff')
    if (answer.done) this.names = Object.fromEntries(answer.done.map((person) => [person.name, person]))
  }

  /** How a person is named: the full name and badge where they are known, else the account's name. */
  said(name: string): string {
    const person = this.names[name]
    if (!person) return name
    const full = person.full_name ? `${person.full_name} (${name})` : name
    return person.badge ? `${full} #${person.badge}` : full
  }
}

export const staffNames = new StaffNames()
