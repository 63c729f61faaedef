/**
 * `npm run check:invariants`: proves the ledger and the book of this installation; exit 1 when a
 * rule is broken.
 */
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { checkInvariants } from './manage/db/check-invariants.ts'
import { openDatabase } from './manage/db/client.ts'

const config = readConfig(process.env, '')
const database = await openDatabase(
  config.databaseUrl === null
    ? { dataDir: join(config.dataDir, 'database') }
    : { url: config.databaseUrl },
)
const results = await checkInvariants(database)
await database.close()
for (const { code, name, violations, sample } of results) {
  process.stdout.write(
    `${violations === 0 ? 'ok    ' : 'BROKEN'} ${code} ${name}${violations === 0 ? '' : `: ${violations} (${sample.join(', ')})`}\n`,
  )
}
const broken = results.filter((result) => result.violations > 0).length
process.stdout.write(`${results.length} rules, ${broken} broken\n`)
process.exit(broken === 0 ? 0 : 1)
