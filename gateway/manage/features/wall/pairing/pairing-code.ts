import { randomInt } from 'node:crypto'
import { CODE_LENGTH, CODE_LETTERS } from '#shared/wall/wall-sets.ts'
import type { Secrets } from '#gateway/manage/kernel/secrets.ts'

export function newCode(): string {
  return Array.from(
    { length: CODE_LENGTH },
    () => CODE_LETTERS[randomInt(CODE_LETTERS.length)],
  ).join('')
}

/** A keyed hash: six letters could be guessed from a plain one. */
export function codeHash(secrets: Secrets, code: string): Buffer {
  return secrets.blindIndex('boardCode', code)
}
