/**
 * Opens the database that the settings name: before the rest of manage is loaded, since the
 * embedded one takes as long to open as that takes to read.
 */
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Logger } from './kernel/logger.ts'
import { type Database, openDatabase } from './manage/db/client.ts'

export function openBook(
  config: Config,
  log: Logger,
  onDatabaseLost: (error: Error) => void,
): Promise<Database> {
  return openDatabase(
    config.databaseUrl === null
      ? { dataDir: join(config.dataDir, 'database'), onError: onDatabaseLost }
      : {
          url: config.databaseUrl,
          onError: (error) => log.error({ err: error }, 'a database connection was lost'),
        },
  )
}
