import { first } from './first'
import { staff } from './staff'

export const en = { ...first, ...staff }
