/**
 * Seal keys as text: `NUMBER:KEY`, the key in base64, several separated by commas or line ends. An
 * embedded installation keeps them beside its master key.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SealKey } from './secrets.ts'

/** A malformed key has the number NaN or a wrong length; the caller reports it. */
export function parseSealKeys(text: string): SealKey[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [id = '', key = ''] = part.split(':')
      return { id: Number(id), key: Buffer.from(key, 'base64') }
    })
}

/** Those of a data directory; none before the first was made. */
export function readSealKeys(dataDir: string): SealKey[] {
  const path = fileOf(dataDir)
  return existsSync(path) ? parseSealKeys(readFileSync(path, 'utf8')) : []
}

/** The next key, as text. */
export function nextSealKey(known: readonly SealKey[]): string {
  return `${Math.max(1, ...known.map(({ id }) => id)) + 1}:${randomBytes(32).toString('base64')}`
}

/** Readable by its owner only, as the master key is. */
export function keepSealKey(dataDir: string, text: string): void {
  appendFileSync(fileOf(dataDir), `${text}\n`, { mode: 0o600 })
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'seal.keys')
}
