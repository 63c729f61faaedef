/**
 * Brings the database up to date and builds manage: the same in a thread beside the edge and in a
 * process of its own.
 */
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Version } from './kernel/health.ts'
import type { Logger } from './kernel/logger.ts'
import type { Database } from './manage/db/client.ts'
import { prepareDatabase } from './manage/foundation/foundation.ts'
import { keepDemoMachineKey } from '#gateway/manage/demo/demo-machine-key.ts'
import { demoAccounts, isEmptyBook, seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { createFirstAdministrator } from './manage/features/session/first-administrator.ts'
import { syncRolesAndMenus } from './manage/features/session/sync-menus.ts'
import { readOrCreateMasterKey } from './manage/kernel/master-key.ts'
import { readSealKeys } from './manage/kernel/seal-keys.ts'
import type { Manage } from './manage/core.ts'
import { buildManage } from './manage/manage.ts'

export interface Prepared {
  manage: Manage
  /** Demo accounts when this is a demo book. */
  accounts: readonly { account: string; role: string }[]
  firstAdministrator: boolean
  close(): Promise<void>
}

export async function prepareManage(
  config: Config,
  version: Version,
  internalSecret: string,
  log: Logger,
  database: Database,
): Promise<Prepared> {
  await prepareDatabase(database)
  const manage = await buildManage(
    {
      database,
      masterKey:
        config.fieldKey === null
          ? readOrCreateMasterKey(config.dataDir)
          : Buffer.from(config.fieldKey),
      // buffers come as plain bytes from another thread
      sealKeys: (
        config.sealKeys ?? (config.fieldKey === null ? readSealKeys(config.dataDir) : [])
      ).map(({ id, key }) => ({ id, key: Buffer.from(key) })),
      ...(config.sealWith === null ? {} : { sealWith: config.sealWith }),
      log,
      version,
      internalSecret,
      secureCookies: config.publicOrigins?.some((origin) => origin.startsWith('https:')) ?? false,
      production: config.production,
      checkAnswers: false,
    },
    config.payout,
    config.messages,
    config.machineReview,
  )
  await syncRolesAndMenus(database, manage.parts.menus)
  if (config.payout.kind === 'http') await setPayoutVendor(database, config.payout.code)
  let firstAdministrator = false
  if (config.administrator)
    firstAdministrator = await createFirstAdministrator(
      database,
      config.administrator.account,
      config.administrator.password,
    )
  if (config.seed === 'demo' && (await isEmptyBook(database)))
    await seedDemo(manage.context, { customers: config.seedSize })
  if (config.seed === 'demo') await keepDemoMachineKey(manage.context, config.dataDir)
  await manage.start()
  return {
    manage,
    accounts: config.seed === 'demo' ? demoAccounts() : [],
    firstAdministrator,
    async close() {
      await manage.close()
      await database.close()
    },
  }
}

/** New transfers go to the vendor that is configured; earlier ones stay with theirs. */
async function setPayoutVendor(database: Database, code: string): Promise<void> {
  await sql`
    update sys_config set value = ${code}, updated_at = clock_timestamp(), version = version + 1
      where code = 'payout.vendor' and value <> ${code}`.execute(database.kysely)
}
