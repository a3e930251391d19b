/** The texts of the pages that everyone opens. */
import { coach } from './coach'
import { lab } from './lab'
import { lobby } from './lobby'
import { patrons } from './patrons'
import { practice } from './practice'
import { shell } from './shell'
import { signIn } from './sign-in'
import { table } from './table'

export const first = { coach, lab, lobby, patrons, practice, shell, signIn, table }
