import type { Words } from '..'
import { first } from './first'
import { staff } from './staff'

export const es: Words = { ...first, ...staff }
