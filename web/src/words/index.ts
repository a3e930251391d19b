/** Every sentence of the page, in one place; another language is another folder like `en`. */
import { audit } from './en/audit'
import { coach } from './en/coach'
import { dealer } from './en/dealer'
import { floor } from './en/floor'
import { lab } from './en/lab'
import { lobby } from './en/lobby'
import { practice } from './en/practice'
import { shell } from './en/shell'
import { signIn } from './en/sign-in'
import { submission } from './en/submission'
import { table } from './en/table'

export const words = { audit, coach, dealer, floor, lab, lobby, practice, shell, signIn, submission, table }
