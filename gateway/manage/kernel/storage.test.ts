import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'
import { testManage } from '#tests/support/manage.ts'
import { systemActor } from './actor.ts'
import { runCommand } from './command.ts'
import { LEAST_FREE_BYTES, storageOf } from './storage.ts'

test('below 200 MB free commands are refused, while signing in and reading continue', async () => {
  const floor = await testManage()
  let free = LEAST_FREE_BYTES
  const storage = storageOf('/data', createLogger('silent'), () => Promise.resolve(free))
  const context = { ...floor.context, storage }
  const write = () =>
    runCommand(context, { actor: systemActor('test'), audit: { action: 'test' } }, async (tx) => {
      await sql`update sys_config set updated_at = clock_timestamp() where code = 'country'`.execute(
        tx.db,
      )
    })
  await storage.start()
  await write()
  storage.stop()
  free -= 1
  await storage.start()
  await expect(write()).rejects.toMatchObject({ id: 'G-DISK' })
  Object.assign(floor.context, { storage })
  const manager = await floor.signIn('manager')
  expect(manager.userId).not.toBe('')
  storage.stop()
  free += 1
  await storage.start()
  await write()
  storage.stop()
  await floor.close()
})
