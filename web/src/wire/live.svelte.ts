/** A table followed over a socket: its current view, across reconnections, and the commands sent over it. */
import { session } from '../session.svelte'
import { words } from '../words'
import { ask, freshId, type Refused, type Schemas } from './client'

export type Reaction = Schemas['Reaction']['reaction']
export type View = Schemas['TableView']
export type Happened = Schemas['Happened']
export type Outcome = { done: Schemas['Acknowledged']; refused?: undefined } | { done?: undefined; refused: Refused }
type Frame = {
  v: number
  sequence?: number
  now?: number
  events?: Happened[] | null
  view?: View
  reacted?: { seat: number; reaction: Reaction }
  heartbeat?: boolean
  locked?: boolean
  done?: Schemas['Acknowledged']
  refused?: Refused & { id: string | null }
}
type Waiting = { text: string; answer: (outcome: Outcome) => void }
export type Connection = 'connecting' | 'live' | 'lost' | 'over' | 'signed-out'

const LOUDEST_WAIT_MS = 5_000
const SILENCE_MS = 45_000 // more than two heartbeats
const SESSION_OVER = 4010
const REACTION_MS = 5_000

/** Return the new value with unchanged parts taken from the old one, so that only changes are redrawn. */
export function kept<Part>(before: unknown, now: Part): Part {
  if (before === now || typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return now
  if (Array.isArray(before) !== Array.isArray(now)) return now
  const [was, is] = [before as Record<string, unknown>, now as Record<string, unknown>]
  const names = Object.keys(is)
  let isSame = names.length === Object.keys(was).length
  for (const name of names) {
    const part = kept(was[name], is[name])
    if (part !== was[name] || !(name in was)) isSame = false
    is[name] = part
  }
  return isSame ? (before as Part) : now
}

export class LiveTable {
  view = $state.raw<View | null>(null)
  events = $state.raw<Happened[]>([]) // of the last frame
  connection = $state<Connection>('connecting')
  reactions = $state.raw<Record<number, Reaction>>({}) // what players said a moment ago, by seat
  refused = $state.raw<Refused | null>(null) // why the table cannot be followed
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  ahead = $state(0)

  private socket: WebSocket | null = null
  private waiting = new Map<string, Waiting>()
  private tries = 0
  private stopped = false
  private silence = 0
  private again = 0
  private fading: Record<number, number> = {}
  // A locked console was sent nothing meanwhile: a new socket continues with the next change.
  private forget = session.whenUnlocked(() => this.socket?.close())

  constructor(readonly table: string, private comesToSit = false) {
    addEventListener('offline', this.unplugged)
    addEventListener('online', this.plugged)
    void this.connect()
  }

  /** Send a command; the answer comes once it is on disk. After a reconnection it is resent under the same id. */
  give(body: Record<string, unknown>, extra: { token?: number | null; seen?: number | null } = {}): Promise<Outcome> {
    const over = this.refused ?? (this.stopped ? { reason: words.shell.tableLeft } : null)
    if (over) return Promise.resolve({ refused: over })
    const id = freshId()
    const text = JSON.stringify({ id, body, ...extra })
    return new Promise((answer) => {
      this.waiting.set(id, { text, answer })
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text)
    })
  }

  /** Stop following the table. */
  stop(): void {
    this.stopped = true
    removeEventListener('offline', this.unplugged)
    removeEventListener('online', this.plugged)
    clearTimeout(this.silence)
    clearTimeout(this.again)
    this.forget()
    this.socket?.close()
    this.refuseWaiting({ reason: words.shell.tableLeft })
  }

  // React to the network going away and coming back at once, without waiting for a timeout or the next retry.
  private unplugged = (): void => {
    if (this.connection !== 'live') return
    this.socket?.close()
    this.socket = null
    this.later()
  }

  private plugged = (): void => {
    if (this.connection !== 'lost') return
    clearTimeout(this.again)
    void this.connect()
  }

  private async connect(): Promise<void> {
    // While the user signs out, the session has already ended on the server, which would refuse a ticket.
    if (session.isLeaving || session.locked) return this.later()
    const ticket = await ask('post', '/api/tables/{table}/ticket', { values: { table: this.table } })
    if (this.stopped) return
    if (ticket.refused) {
      if (ticket.status === 401) this.signedOut()
      else if (ticket.status === 404) this.end('over', ticket.refused)
      else this.later()
      return
    }
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const seen = this.view?.sequence ?? 0
    const query = new URLSearchParams({ ticket: ticket.done.ticket, seen: String(seen), ...(this.comesToSit ? { sits: '1' } : {}) })
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/live?${query}`)
    this.socket = socket
    socket.onopen = () => {
      this.tries = 0
      this.connection = 'live'
      this.comesToSit = false
      this.listen()
      for (const command of this.waiting.values()) socket.send(command.text)
    }
    socket.onmessage = (message) => this.read(JSON.parse(message.data as string) as Frame)
    socket.onclose = (event) => {
      if (this.socket !== socket || this.stopped) return
      if (event.code === SESSION_OVER) this.signedOut()
      else this.later()
    }
  }

  private read(frame: Frame): void {
    this.listen()
    if (frame.view) {
      if (frame.now) this.ahead = frame.now - Date.now()
      this.view = kept(this.view, frame.view)
      this.events = frame.events ?? []
    } else if (frame.locked) {
      if (!session.locked) void session.look()
    } else if (frame.reacted) this.react(frame.reacted.seat, frame.reacted.reaction)
    else if (frame.done) this.answered(frame.done.id, { done: frame.done })
    else if (frame.refused?.id) this.answered(frame.refused.id, { refused: frame.refused })
  }

  private react(seat: number, reaction: Reaction): void {
    this.reactions = { ...this.reactions, [seat]: reaction }
    clearTimeout(this.fading[seat])
    this.fading[seat] = window.setTimeout(() => (this.reactions = Object.fromEntries(Object.entries(this.reactions).filter(([of]) => Number(of) !== seat))), REACTION_MS)
  }

  private answered(id: string, outcome: Outcome): void {
    this.waiting.get(id)?.answer(outcome)
    this.waiting.delete(id)
  }

  private signedOut(): void {
    if (session.isLeaving) return this.later() // the user signs out, so there is nothing to report
    this.end('signed-out', { reason: words.shell.sessionOver })
    session.ended()
  }

  // The connection is over: pending commands are refused.
  private end(connection: 'over' | 'signed-out', refused: Refused): void {
    this.connection = connection
    this.refused = refused
    this.refuseWaiting(refused)
  }

  private refuseWaiting(refused: Refused): void {
    for (const command of this.waiting.values()) command.answer({ refused })
    this.waiting.clear()
  }

  private listen(): void {
    clearTimeout(this.silence)
    this.silence = window.setTimeout(() => this.socket?.close(), SILENCE_MS)
  }

  private later(): void {
    this.connection = 'lost'
    const wait = Math.min(LOUDEST_WAIT_MS, 250 * 2 ** this.tries++)
    this.again = window.setTimeout(() => void this.connect(), wait * (0.75 + Math.random() / 2))
  }
}
