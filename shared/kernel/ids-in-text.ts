export interface NamedIds {
  /** Without duplicates, in the order of their first occurrence. */
  ids: string[]
  /** Those that occur more than once. */
  repeated: string[]
  /** Tokens with a digit that are not ids: probably mistyped. */
  unreadable: string[]
}

/**
 * Finds ids in a text: a column of a sheet, a comma-separated list, or one per line. Headers and
 * words are skipped.
 * @param letter the first of an id; at least four digits follow it
 */
export function idsInText(text: string, letter: string): NamedIds {
  const isId = (word: string) =>
    word.startsWith(letter) && /^\d{4,20}$/.test(word.slice(letter.length))
  const words = text.split(/[\s,;"']+/).filter((word) => /\d/.test(word))
  const named = words.filter(isId)
  const ids = [...new Set(named)]
  return {
    ids,
    repeated: ids.filter((id) => named.indexOf(id) !== named.lastIndexOf(id)),
    unreadable: [...new Set(words.filter((word) => !isId(word)))],
  }
}
