/**
 * Rules of a new password: the pattern, and no commonly guessed password. Hardly any password of
 * the usual lists matches the pattern; those that do are a listed word with swapped letters and
 * added digits or signs. So the word inside is looked up.
 */
import { Problem } from '#shared/kernel/problem.ts'
import { isPassword } from '#shared/session/password-rule.ts'
import { PASSWORD_FORMAT, PASSWORD_WEAK } from '#shared/session/session-problems.ts'
import { COMMON_WORDS } from './common-words.ts'

const SWAPPED: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}
/** Shorter parts of a name occur in too many words. */
const NAME_LENGTH = 4

/** @param about names of the account and its person @throws Problem P-FMT, P-WEAK */
export function refuseUnfitPassword(password: string, about: readonly string[]): void {
  if (!isPassword(password)) throw new Problem(PASSWORD_FORMAT)
  if (isGuessable(password, about)) throw new Problem(PASSWORD_WEAK)
}

export function isGuessable(password: string, about: readonly string[]): boolean {
  const lower = password.toLowerCase()
  const names = about
    .flatMap((name) => name.toLowerCase().split(/[^a-z]+/))
    .filter((part) => part.length >= NAME_LENGTH)
  // the word without its surroundings, with and without signs that may replace letters
  const tail = lower.replace(/[^a-z]+$/, '')
  const words = [tail, tail.replace(/^[^a-z]+/, ''), lower.replace(/[\d!]+$/, '')].map(wordOf)
  words.push(lower.replace(/[^a-z]/g, ''))
  if (words.some((word) => COMMON_WORDS.has(word) || COMMON_WORDS.has(half(word)) || isRun(word)))
    return true
  return [wordOf(lower), lower.replace(/[^a-z]/g, '')].some((word) =>
    names.some((name) => word.includes(name)),
  )
}

function wordOf(text: string): string {
  return [...text]
    .map((character) => SWAPPED[character] ?? character)
    .join('')
    .replace(/[^a-z]/g, '')
}

/** `adminadmin` counts as `admin`. */
function half(word: string): string {
  const length = word.length / 2
  return word.slice(0, length) === word.slice(length) ? word.slice(0, length) : word
}

/** One repeated letter, or neighbours in the alphabet or on the keyboard. */
function isRun(word: string): boolean {
  if (word.length < 3) return true
  return [
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiop',
    'asdfghjkl',
    'zxcvbnm',
    'qazwsxedcrfvtgb',
    word.slice(0, 1).repeat(word.length),
  ].some((row) => row.includes(word) || [...row].toReversed().join('').includes(word))
}
