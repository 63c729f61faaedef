/**
 * Under which name a statement is prepared, the same on every connection; undefined: it is not. Texts
 * built from lists of many lengths must not fill the server's memory, so what comes after `most` is not
 * prepared.
 */
function statementNames(prefix: string, most: number): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size === most) return known
    const name = `${prefix}${names.size}`
    names.set(text, name)
    return name
  }
}

export const commandName = statementNames('s', 1_000)
/** Reads have names of their own: filters in many ways make many texts, which must not end those of commands. */
export const readName = statementNames('r', 500)
