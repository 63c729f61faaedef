// The engines of database tests: PGlite always, PostgreSQL when TEST_DATABASE_URL is set.
// Databases are empty.
import type { Database, DatabaseConfig } from '#gateway/manage/db/client.ts'
import { cloneDump, preparedDump } from './pglite-clone.ts'
import { openNewDatabase } from './postgres-server.ts'

export interface Engine {
  name: 'PGlite' | 'PostgreSQL'
  open(config?: DatabaseConfig): Promise<{ database: Database; close(): Promise<void> }>
}

export const engines: readonly Engine[] = [{ name: 'PGlite', open: openPglite }, ...postgres()]

/** A dump of a new PGlite database, for tests that need one on disk quickly. */
export function emptyDump(): Promise<string> {
  return preparedDump('empty', prepareNothing)
}

function openPglite(
  config?: DatabaseConfig,
): Promise<{ database: Database; close(): Promise<void> }> {
  return cloneDump('empty', prepareNothing, config)
}

async function prepareNothing(): Promise<void> {
  // The dump holds what initdb made.
}

function postgres(): Engine[] {
  const url = process.env.TEST_DATABASE_URL
  return url
    ? [{ name: 'PostgreSQL', open: (config) => openNewDatabase(url, 'template0', config) }]
    : []
}
