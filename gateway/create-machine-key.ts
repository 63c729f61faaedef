/**
 * `npm run machine-key -- NAME SCOPE,SCOPE`: a key for a system that calls in (customer app,
 * machine review, payout vendor, payment channel). Its secret is printed once and stored sealed.
 */
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { openDatabase } from './manage/db/client.ts'
import { prepareDatabase } from './manage/foundation/foundation.ts'
import { createMachineKey } from './manage/kernel/machine.ts'
import { readOrCreateMasterKey } from './manage/kernel/master-key.ts'
import { readSealKeys } from './manage/kernel/seal-keys.ts'
import { secretsOf } from './manage/kernel/secrets.ts'

const SCOPES = ['application', 'machineReview', 'payout', 'payment', 'feedback', 'proof']

const [name = '', scopeList = ''] = process.argv.slice(2)
const scopes = scopeList.split(',').filter((scope) => scope !== '')
if (
  !/^[A-Za-z0-9 _-]{2,60}$/.test(name) ||
  scopes.length === 0 ||
  scopes.some((scope) => !SCOPES.includes(scope))
) {
  process.stderr.write(
    `Usage: npm run machine-key -- NAME SCOPE[,SCOPE]   scopes: ${SCOPES.join(', ')}\n`,
  )
  process.exit(1)
}
const config = readConfig(process.env, '')
const database = await openDatabase(
  config.databaseUrl === null
    ? { dataDir: join(config.dataDir, 'database') }
    : { url: config.databaseUrl },
)
await prepareDatabase(database)
const key = await createMachineKey(
  {
    database,
    secrets: secretsOf(
      config.fieldKey ?? readOrCreateMasterKey(config.dataDir),
      config.sealKeys ?? (config.fieldKey === null ? readSealKeys(config.dataDir) : []),
      config.sealWith ?? undefined,
    ),
  },
  { name, scopes },
)
await database.close()
process.stdout.write(
  `Key id: ${key.keyId}\nSecret: ${key.secret}\nScopes: ${scopes.join(', ')}\nThe secret is not shown again.\n`,
)
