/**
 * RBI circular of 12 Aug 2022 forbids harsh recovery methods: a remark with words of threat, abuse
 * or humiliation asks for confirmation. The words are data.
 */

/** Scripts without spaces between words: there a word is found anywhere in the text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const ENDS_IN_WORD = /[\p{L}\p{M}\p{N}]$/u
const BEGINS_IN_WORD = /^[\p{L}\p{M}\p{N}]/u

/** Those of `words` that occur in the remark, as whole words, in any case. */
export function harshWordsIn(remark: string, words: readonly string[]): string[] {
  const text = remark.normalize('NFC').toLowerCase()
  return words.filter((word) => isIn(text, word.normalize('NFC').toLowerCase()))
}

/** Called for every word at every key, so no expression is compiled for a word. */
function isIn(text: string, word: string): boolean {
  if (UNSPACED.test(word)) return text.includes(word)
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1))
    if (!ENDS_IN_WORD.test(text.slice(0, at)) && !BEGINS_IN_WORD.test(text.slice(at + word.length)))
      return true
  return false
}
