/** Shown instead of a missing logo. */
export const letterOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? ''
