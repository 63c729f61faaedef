/** Before all tests: one line when no server runs on which races could be tested. */
import { findServer } from './local-server.ts'

export async function setup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL || (await findServer()) !== null) return
  console.info('no PostgreSQL runs on this machine: races of commands are not tested')
}
