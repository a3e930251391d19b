/** The texts of the pages for staff, which are loaded with those pages. */
import { audit } from './audit'
import { controls } from './controls'
import { dealer } from './dealer'
import { floor } from './floor'
import { pit } from './pit'
import { submission } from './submission'

export const staff = { audit, controls, dealer, floor, pit, submission }
