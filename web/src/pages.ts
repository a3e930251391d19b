/** The pages: address, roles, and the module that is loaded on demand. */
import type { Component } from 'svelte'
import { learn, words } from './words'

export type Page = {
  at: string // the first part of its path
  title: () => string // asked for each time, because the language can change
  inMenu: boolean
  roles: string[] | null // who may open it; null for anybody
  followsAddress?: boolean // it follows the rest of its address itself; other pages restart
  usesLab?: boolean // a stranger may open it only where the lab answers strangers
  load: () => Promise<{ default: Component }>
}

const t = words.shell.pages
const OVERSIGHT = ['auditor', 'regulator', 'surveillance']
// Everyone who sees the floor, maintains part of it or reads its reports; each role sees its own sections.
const STAFF_OF_FLOOR = ['floorperson', 'pit-manager', 'administrator', 'cage', 'count-team', 'technician', 'operator', ...OVERSIGHT]

// Before the page itself: its modules read their texts as they are loaded.
const forStaff = (load: Page['load']): Page['load'] => () => learn('staff').then(load)

export const PAGES: Page[] = [
  { at: '', title: () => t.lobby, inMenu: true, roles: null, load: () => import('./pages/lobby/Lobby.svelte') },
  { at: 'tables', title: () => t.lobby, inMenu: false, roles: null, load: () => import('./pages/table/Table.svelte') },
  { at: 'history', title: () => words.table.history.title, inMenu: true, roles: ['player'], load: () => import('./pages/history/History.svelte') },
  { at: 'rounds', title: () => words.table.share.title, inMenu: false, roles: null, load: () => import('./pages/shared/SharedRound.svelte') },
  { at: 'practice', title: () => t.practice, inMenu: true, roles: null, followsAddress: true, usesLab: true, load: () => import('./pages/practice/Practice.svelte') },
  { at: 'lab', title: () => t.lab, inMenu: true, roles: null, followsAddress: true, usesLab: true, load: () => import('./pages/lab/Lab.svelte') },
  { at: 'dealer', title: () => t.dealer, inMenu: true, roles: ['dealer', 'floorperson', 'pit-manager'], load: forStaff(() => import('./pages/dealer/Dealer.svelte')) },
  { at: 'floor', title: () => t.floor, inMenu: true, roles: STAFF_OF_FLOOR, load: forStaff(() => import('./pages/floor/Floor.svelte')) },
  { at: 'audit', title: () => t.audit, inMenu: true, roles: OVERSIGHT, load: forStaff(() => import('./pages/audit/Audit.svelte')) },
  { at: 'submissions', title: () => t.submissions, inMenu: true, roles: ['operator', 'pit-manager', 'floorperson', 'regulator'], load: forStaff(() => import('./pages/submission/Submission.svelte')) },
  { at: 'password', title: () => words.signIn.own.title, inMenu: false, roles: null, load: () => import('./pages/password/Password.svelte') },
  { at: 'sign-in', title: () => words.shell.signIn, inMenu: false, roles: null, load: () => import('./pages/sign-in/SignIn.svelte') },
]
