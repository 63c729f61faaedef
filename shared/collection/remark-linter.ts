/**
 * RBI circular of 12 Aug 2022 forbids harsh recovery methods: a remark with words of threat, abuse
 * or humiliation asks for confirmation. The words are data.
 */

/** Scripts without spaces between words: there a word is found anywhere in the text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const PART_OF_WORD = '[\\p{L}\\p{M}\\p{N}]'

/** Those of `words` that occur in the remark, as whole words, in any case. */
export function harshWordsIn(remark: string, words: readonly string[]): string[] {
  const text = remark.normalize('NFC').toLowerCase()
  return words.filter((word) => isIn(text, word.normalize('NFC').toLowerCase()))
}

function isIn(text: string, word: string): boolean {
  if (UNSPACED.test(word)) return text.includes(word)
  const literal = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<!${PART_OF_WORD})${literal}(?!${PART_OF_WORD})`, 'u').test(text)
}
