export const dealer = {} as const
