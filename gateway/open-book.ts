/**
 * Opens the database that the settings name: before the rest of manage is loaded, since the
 * embedded one takes as long to open as that takes to read.
 */
import { join } from 'node:path'
import type { Config } from './config.ts'
import { followClockOfBook } from './demo-clock.ts'
import type { Logger } from './kernel/logger.ts'
import { type Database, openDatabase } from './manage/db/client.ts'

/**
 * A core that stands still inside a transaction loses its locks before an edge gives its calls to
 * another core (two seconds), which would wait for them; when it goes on, the transaction runs
 * again. Nobody waits longer than ten seconds at a lock. A statement of a nightly class may take
 * minutes; of a caller it is ended when they are gone, and an edge gives up after 45 s.
 */
const LIMITS = { statementMillis: 300_000, lockMillis: 10_000, idleMillis: 1_500 }

export function openBook(
  config: Config,
  log: Logger,
  onDatabaseLost: (error: Error) => void,
): Promise<Database> {
  followClockOfBook(config)
  return openDatabase(
    config.databaseUrl === null
      ? { dataDir: join(config.dataDir, 'database'), onError: onDatabaseLost }
      : {
          url: config.databaseUrl,
          limits: LIMITS,
          onError: (error) => log.error({ err: error }, 'a database connection was lost'),
        },
  )
}
