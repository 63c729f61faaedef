/** Stands where a product has no logo. */
export const letterOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? ''
