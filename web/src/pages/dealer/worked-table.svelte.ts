/** A table for the staff who work at it: followed live, with its console, rules and equipment. */
import { ask, type Refused, type Schemas } from '../../wire/client'
import { LiveTable, type Outcome } from '../../wire/live.svelte'
import type { Command, Console } from './duties'
import { CardEntries } from './card-entries.svelte'

const RENEWED_EVERY_MS = 10 * 60_000

export class WorkedTable {
  readonly live: LiveTable
  readonly entries = new CardEntries(this)
  console = $state.raw<Console | null>(null)
  lease = $state<number | null>(null)
  rules = $state.raw<Schemas['TableRules'] | null>(null)
  equipment = $state.raw<Schemas['Equipment'] | null>(null)
  summaries = $state.raw<Record<string, string>>({})
  refused = $state.raw<Refused | null>(null) // why the console cannot be shown
  now = $state(Date.now())

  private looking: Promise<void> | null = null
  private again = false
  private timers: number[] = []

  constructor(
    readonly table: string,
    private readonly hasConsole = true, // the cage and technicians look after a table without working its console
    private readonly hasEquipment = true, // those who watch the floor look after nothing
  ) {
    this.live = new LiveTable(table)
    this.timers.push(window.setInterval(() => this.tick(), 1000))
    this.timers.push(window.setInterval(() => void this.renew(), RENEWED_EVERY_MS))
  }

  /** Send a command with the lease, if the user holds it. */
  async give(command: Command): Promise<Outcome> {
    const outcome = await this.live.give(command, { token: this.lease })
    await this.look()
    return outcome
  }

  /** Reload the console; calls made while a request is pending are combined into one more request. */
  look(): Promise<void> {
    this.again = true
    this.looking ??= this.lookWhileAsked()
    return this.looking
  }

  /** Read the rules in force, and what their clauses say in a sentence. */
  async learn(): Promise<void> {
    const rules = await ask('get', '/api/tables/{table}/rules', { values: { table: this.table } })
    if (!rules.done) return
    this.rules = rules.done
    const values = { name: rules.done.game }
    const [clauses, rulings, roles] = await Promise.all([
      ask('get', '/api/games/{name}/clauses', { values }),
      ask('get', '/api/games/{name}/rulings', { values }),
      ask('get', '/api/roles'),
    ])
    const told: Record<string, string> = { ...roles.done?.rules }
    for (const [clause, shown] of Object.entries(clauses.done ?? {})) told[clause] = shown.summary
    for (const ruling of rulings.done ?? []) told[ruling.id] = ruling.reading
    this.summaries = told
  }

  /** Stop following the table. */
  stop(): void {
    this.timers.forEach(clearInterval)
    this.live.stop()
  }

  private async lookWhileAsked(): Promise<void> {
    const values = { table: this.table }
    try {
      while (this.again) {
        this.again = false
        const [shown, equipment] = await Promise.all([
          this.hasConsole ? ask('get', '/api/tables/{table}/console', { values }) : null,
          this.hasEquipment ? ask('get', '/api/tables/{table}/equipment', { values }) : null,
        ])
        if (shown?.done) {
          this.console = shown.done.console as Console
          this.lease = shown.done.lease
          this.refused = null
        } else this.refused = shown?.refused ?? null
        if (equipment?.done) this.equipment = equipment.done
      }
    } finally {
      this.looking = null // here, not once the promise is settled: who asks in between would get what was read before
    }
  }

  // An expiring hold isn't an event; the place is offered from then on.
  private tick(): void {
    this.now = Date.now() + this.live.ahead
    const until = this.equipment?.lease_until ?? null
    if (until !== null && until <= this.now) void this.look()
  }

  private async renew(): Promise<void> {
    if (this.lease !== null) await this.live.give({ kind: 'RenewLease', token: this.lease }, { token: this.lease })
  }
}
