/**
 * Texts built from lists of many lengths must not fill the server's memory; what comes later is not
 * prepared.
 */
const MOST_PREPARED = 1_000
const names = new Map<string, string>()

/** Under which name a statement is prepared, the same on every connection; undefined: it is not. */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size === MOST_PREPARED) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
