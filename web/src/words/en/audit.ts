export const audit = {} as const
