import type { Words } from '..'
import { audit } from './audit'
import { coach } from './coach'
import { dealer } from './dealer'
import { floor } from './floor'
import { lab } from './lab'
import { lobby } from './lobby'
import { practice } from './practice'
import { shell } from './shell'
import { signIn } from './sign-in'
import { submission } from './submission'
import { table } from './table'

export const es: Words = { audit, coach, dealer, floor, lab, lobby, practice, shell, signIn, submission, table }
