/** Order ids out of a pasted text: a column of a sheet, a list with commas, one a line. Each once, as it stands first. */
export function orderIdsOf(text: string): string[] {
  return [...new Set(text.match(/\bL\d{4,20}\b/g))]
}
