/** No harsh methods (domain.md 1, rule 3): a remark is asked about when it has words of threat, abuse or humiliation. The words are data. */

/** Scripts without spaces between words: there a word is found wherever it stands. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const PART_OF_WORD = '[\\p{L}\\p{M}\\p{N}]'

/** Those of `words` that stand in the remark, as whole words, in whatever case. */
export function harshWordsIn(remark: string, words: readonly string[]): string[] {
  const text = remark.normalize('NFC').toLowerCase()
  return words.filter((word) => isIn(text, word.normalize('NFC').toLowerCase()))
}

function isIn(text: string, word: string): boolean {
  if (UNSPACED.test(word)) return text.includes(word)
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<!${PART_OF_WORD})${literal}(?!${PART_OF_WORD})`, 'u').test(text)
}
