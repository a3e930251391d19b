/** What tables, games and wagers are called where people read; files keep the names that programs go by. */
import { ask, type Schemas } from '../../wire/client'

export class Titles {
  private tables = $state.raw<Schemas['TableSummary'][]>([])
  private games = $state.raw<Schemas['GameShown'][]>([])

  constructor() {
    void this.look()
    void ask('get', '/api/games').then((answer) => (this.games = answer.done ?? []))
  }

  /** Reload the tables: rules for new ones are put in force while a page is open. */
  async look(): Promise<void> {
    const answer = await ask('get', '/api/tables')
    if (answer.done) this.tables = answer.done
  }

  /** The tables that people deal for real money. */
  get forMoney(): string[] {
    return this.tables.filter((table) => table.game && !table.free_play && !table.is_automatic).map((table) => table.table)
  }

  /** Return a table's title, with its name where others have the same title. */
  table(name: string): string {
    const title = this.tables.find((table) => table.table === name)?.title
    if (!title) return name
    return this.tables.filter((table) => table.title === title).length > 1 ? `${title} · ${name}` : title
  }

  game(name: string): string {
    return this.games.find((game) => game.name === name)?.title ?? name
  }

  /** Return a wager's title in its game, or in whichever games have it. */
  wager(name: string, game?: string | null): string {
    const games = this.games.filter((known) => !game || known.name === game)
    const titles = new Set(games.flatMap((known) => known.wagers.filter((wager) => wager.name === name).map((wager) => wager.title)))
    return [...titles].join(' / ') || name
  }
}
