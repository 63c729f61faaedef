/** The keys that the settings name, for the console and for the commands beside it. */
import type { Config } from './config.ts'
import type { Database } from './manage/db/client.ts'
import { holdsRows, KeysRefused } from './manage/kernel/book-keys.ts'
import { masterKeyPath, readMasterKey, readOrCreateMasterKey } from './manage/kernel/master-key.ts'
import { readSealKeys } from './manage/kernel/seal-keys.ts'
import type { SealKey } from './manage/kernel/secrets.ts'

export interface KeysOfBook {
  masterKey: Buffer
  sealKeys: SealKey[]
  sealWith?: number
}

/**
 * @param database with its schema; without rows of a book a new master key is made
 * @throws KeysRefused when the key of a book with rows is not there
 */
export async function keysOfBook(config: Config, database: Database): Promise<KeysOfBook> {
  // buffers come as plain bytes from another thread
  const sealKeys = config.sealKeys ?? (config.fieldKey === null ? readSealKeys(config.dataDir) : [])
  return {
    masterKey: config.fieldKey ? Buffer.from(config.fieldKey) : await keptKey(config, database),
    sealKeys: sealKeys.map(({ id, key }) => ({ id, key: Buffer.from(key) })),
    ...(config.sealWith === null ? {} : { sealWith: config.sealWith }),
  }
}

async function keptKey({ dataDir }: Config, database: Database): Promise<Buffer> {
  const kept = readMasterKey(dataDir)
  if (kept) return kept
  if (await holdsRows(database))
    throw new KeysRefused(
      `${masterKeyPath(dataDir)} is missing, and a new key would open nothing of this book. ` +
        'Put the file back from a backup.',
    )
  return readOrCreateMasterKey(dataDir)
}
