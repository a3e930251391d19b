/** What is chosen in the lab: a game, its paytables and options, stakes and meters; every answer follows from it. */
import { ask, type Schemas } from '../../wire/client'
import { route } from '../../route.svelte'

export type LabGame = Schemas['LabGame']
export type LabWager = Schemas['LabWager']
export type Terms = { game: string; paytables: Record<string, string>; options: Record<string, string | number> }
export type Staked = Terms & { stake_cents: number | null; meters: Record<string, number>; others: number }

export const VIEWS = ['paytable', 'edges', 'sheet', 'results', 'strategy', 'exposure', 'shift', 'rulings'] as const
export type ViewName = (typeof VIEWS)[number]

class Chosen {
  games = $state.raw<LabGame[]>([])
  refused = $state('')
  paytables = $state<Record<string, string>>({})
  options = $state<Record<string, string | number>>({})
  stake_cents = $state<number | null>(null)
  meters = $state<Record<string, number>>({})
  others = $state(0)
  wager = $state('main') // whose sheet and results are shown
  private of = ''

  /** Load the catalog once. */
  async load(): Promise<void> {
    if (this.games.length) return
    const answer = await ask('get', '/api/lab/games')
    if (answer.done) this.games = answer.done
    else this.refused = answer.refused.reason
  }

  get game(): LabGame | undefined {
    return this.games.find((game) => game.game === route.parts[1]) ?? this.games[0]
  }

  get view(): ViewName {
    const named = route.parts[2]
    return VIEWS.find((view) => view === named) ?? 'paytable'
  }

  /** Forget what was chosen for another game. */
  follow(): void {
    if (!this.game || this.of === this.game.game) return
    this.of = this.game.game
    this.reset()
  }

  reset(): void {
    this.paytables = {}
    this.options = {}
    this.stake_cents = null
    this.meters = {}
    this.others = 0
    this.wager = 'main'
  }

  get hasChanged(): boolean {
    const { paytables, options, stake_cents, meters, others } = this
    return [paytables, options, meters].some((choices) => Object.keys(choices).length > 0) || stake_cents !== null || others > 0
  }

  get terms(): Terms {
    return { game: this.game?.game ?? '', paytables: { ...this.paytables }, options: { ...this.options } }
  }

  get staked(): Staked {
    return { ...this.terms, stake_cents: this.stake_cents, meters: { ...this.meters }, others: this.others }
  }

  /** The wagers that have a figure of their own: those beside the main game. */
  get sideWagers(): LabWager[] {
    return this.game?.wagers.filter((wager) => !wager.is_main) ?? []
  }

  titleOf(wager: string): string {
    return this.game?.wagers.find((labWager) => labWager.wager === wager)?.title ?? wager
  }
}

export const chosen = new Chosen()
