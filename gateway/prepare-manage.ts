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
import { keysOfBook } from './keys-of-book.ts'
import { proveKeys, rememberKeys } from './manage/kernel/book-keys.ts'
import { agreeWithCores, type CoreAgreement } from './manage/kernel/core-agreement.ts'
import { MACHINE_KEY_SECRET } from './manage/kernel/machine.ts'
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
  const isEmbedded = database.engine === 'pglite'
  if (isEmbedded && config.production && config.backupDir === null)
    log.error('BACKUP_DIR is not set: a lost disk loses the whole book')
  await prepareDatabase(database)
  let agreement: CoreAgreement | null = null
  const manage = await buildManage(
    {
      database,
      ...(await keysOfBook(config, database)),
      log,
      version,
      internalSecret,
      production: config.production,
      anchorFile: config.anchorFile,
      logArchiveDir: config.logArchiveDir,
      storageDir: isEmbedded ? config.dataDir : null,
      backups:
        isEmbedded && config.backupDir !== null
          ? { dataDir: config.dataDir, backupDir: config.backupDir }
          : null,
      checkAnswers: false,
      checks: {
        agreement() {
          const ok = agreement?.agrees() ?? true
          return { ok, value: ok }
        },
      },
    },
    config.payout,
    config.messages,
    config.machineReview,
    config.privateVendors,
    config.aiCalls,
  )
  const { secrets } = manage.context
  await proveKeys(database, secrets, [MACHINE_KEY_SECRET, ...manage.parts.sealed])
  // the lock of its data directory keeps an embedded console alone
  if (database.engine === 'postgresql')
    agreement = await agreeWithCores(database, secrets, config.machineReview, log)
  await rememberKeys(database, secrets)
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
      await agreement?.stop()
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
