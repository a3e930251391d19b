export const coach = {} as const
