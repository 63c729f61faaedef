/**
 * `npm run machine-key -- NAME SCOPE,SCOPE [VENDOR]`: a key for a system that calls in (customer app,
 * machine review, payout vendor, payment channel). Its secret is printed once and stored sealed.
 * `npm run machine-key -- --list` prints the keys there are, without their secrets.
 */
import { sql } from 'kysely'
import { type Config, readConfig } from './config.ts'
import { keysOfBook } from './keys-of-book.ts'
import type { Database } from './manage/db/client.ts'
import { prepareDatabase } from './manage/foundation/foundation.ts'
import { missingKeys } from './manage/kernel/book-keys.ts'
import { createMachineKey } from './manage/kernel/machine.ts'
import { secretsOf } from './manage/kernel/secrets.ts'
import { openBook } from './open-book.ts'
import { createLogger } from './kernel/logger.ts'
import { oneLine } from './one-line.ts'

const SCOPES = [
  'application',
  'machineReview',
  'payout',
  'payment',
  'aiCall',
  'callRecord',
  'feedback',
  'proof',
]
const LIST = '--list'

const [name = '', scopeList = '', vendorCode = null] = process.argv.slice(2)
const scopes = scopeList.split(',').filter((scope) => scope !== '')
if (
  name !== LIST &&
  (!/^[A-Za-z0-9 _-]{2,60}$/.test(name) ||
    scopes.length === 0 ||
    scopes.some((scope) => !SCOPES.includes(scope)))
) {
  process.stderr.write(
    `Usage: npm run machine-key -- NAME SCOPE[,SCOPE] [VENDOR]   scopes: ${SCOPES.join(', ')}\n` +
      `       npm run machine-key -- ${LIST}\n`,
  )
  process.exit(1)
}
await oneLine(async () => {
  const config = readConfig(process.env, '')
  const database = await openBook(config, createLogger('error'), () => undefined)
  try {
    await prepareDatabase(database)
    if (name === LIST) return await printKeys(database)
    const { masterKey, sealKeys, sealWith } = await keysOfBook(config, database)
    const secrets = secretsOf(masterKey, sealKeys, sealWith)
    const missing = await missingKeys(database, secrets)
    if (missing.length > 0)
      throw new RangeError(`key ${missing.join(', ')} of this book is missing or another one`)
    await checkVendor(database, config)
    const key = await createMachineKey({ database, secrets }, { name, scopes, vendorCode })
    process.stdout.write(
      `Key id: ${key.keyId}\nSecret: ${key.secret}\nScopes: ${scopes.join(', ')}\n` +
        `Speaks for: ${vendorCode ?? 'the vendors of the installation'}\nThe secret is not shown again.\n`,
    )
  } finally {
    await database.close()
  }
})

/** A code with a typing mistake would make a key that may report nothing. */
async function checkVendor(database: Database, config: Config): Promise<void> {
  if (vendorCode === null) return
  const own = [config.payout, config.messages, config.aiCalls].map((one) =>
    one.kind === 'http' ? one.code : one.kind,
  )
  const { rows } = await sql`select from tp_vendor v where v.code = ${vendorCode}`.execute(
    database.kysely,
  )
  if (rows.length === 0 && !own.includes(vendorCode))
    throw new RangeError(`no third party has the code ${vendorCode}; add it on the screen first`)
}

async function printKeys(database: Database): Promise<void> {
  const { rows } = await sql<{
    id: string
    name: string
    scopes: string[]
    vendor: string | null
    status: string
  }>`
    select k.id, k.name, k.scopes, k.vendor_code as vendor, k.status from machine_key k
    order by k.created_at, k.id`.execute(database.kysely)
  for (const { id, name: keyName, scopes: may, vendor, status } of rows)
    process.stdout.write(`${[id, keyName, may.join(','), vendor ?? '-', status].join('\t')}\n`)
}
