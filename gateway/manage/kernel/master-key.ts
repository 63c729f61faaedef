import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'field.key')
}

/**
 * The master key of an embedded installation, readable by its owner only; a copy of the data
 * without it opens no sealed field.
 * @returns null when none was made yet
 */
export function readMasterKey(dataDir: string): Buffer | null {
  const path = masterKeyPath(dataDir)
  if (!existsSync(path)) return null
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new RangeError(`${path} does not hold a key of 32 bytes`)
  return key
}

/** For a book without rows: the key it will be sealed with. */
export function readOrCreateMasterKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    const text = randomBytes(32).toString('base64')
    writeFileSync(masterKeyPath(dataDir), text, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readMasterKey(dataDir) as Buffer
}
