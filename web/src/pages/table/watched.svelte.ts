/** A table polled for someone who isn't signed in. */
import { ask } from '../../wire/client'
import { words } from '../../words'
import type { Connection, Happened, LiveTable, Outcome, View } from '../../wire/live.svelte'

const AGAIN_MS = 1_000

/** What the table page needs from a table, polled or over a socket. */
export type Followed = Pick<LiveTable, 'view' | 'events' | 'connection' | 'refused' | 'ahead' | 'reactions' | 'give' | 'stop'>

export class WatchedTable implements Followed {
  view = $state.raw<View | null>(null)
  events = $state.raw<Happened[]>([])
  connection = $state<Connection>('connecting')
  refused = $state.raw<LiveTable['refused']>(null)
  ahead = 0
  readonly reactions = {} // they come over a socket
  private again = 0
  private stopped = false

  constructor(readonly table: string) {
    void this.look()
  }

  give(): Promise<Outcome> {
    return Promise.resolve({ refused: { reason: words.table.signInToSit } })
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.again)
  }

  private async look(): Promise<void> {
    if (!document.hidden || !this.view) {
      const answer = await ask('get', '/api/tables/{table}', { values: { table: this.table, watching: true } })
      if (this.stopped) return
      if (answer.done) {
        this.connection = 'live'
        if (answer.done.sequence !== this.view?.sequence) this.view = answer.done
      } else if (answer.status === 404) {
        this.connection = 'over'
        this.refused = answer.refused
        return
      } else this.connection = 'lost'
    }
    this.again = window.setTimeout(() => void this.look(), AGAIN_MS)
  }
}
