// The engines a database test runs on: PGlite always, PostgreSQL when TEST_DATABASE_URL is set. Databases are empty.
import { type Database, type DatabaseConfig, openDatabase } from '#gateway/manage/db/client.ts'
import { openNewDatabase } from './postgres-server.ts'

export interface Engine {
  name: 'PGlite' | 'PostgreSQL'
  open(config?: DatabaseConfig): Promise<{ database: Database; close(): Promise<void> }>
}

export const engines: readonly Engine[] = [{ name: 'PGlite', open: openPglite }, ...postgres()]

async function openPglite(config: DatabaseConfig = {}): Promise<{ database: Database; close(): Promise<void> }> {
  const database = await openDatabase({ ...config, dataDir: 'memory://' })
  return { database, close: () => database.close() }
}

function postgres(): Engine[] {
  const url = process.env.TEST_DATABASE_URL
  return url ? [{ name: 'PostgreSQL', open: (config) => openNewDatabase(url, 'template0', config) }] : []
}
