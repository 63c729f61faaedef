/** A console with a book of random lives and filled rollups, for tests of reports. */
import { sql } from 'kysely'
import { seedDemo } from '#gateway/manage/demo/seed-demo.ts'
import { type Floor, type Person, testManage } from './manage.ts'
import { SEED } from './seed.ts'

export interface ReportFloor {
  floor: Floor
  director: Person
  /** What was marked is filled, and an old book by its job. */
  refreshed(): Promise<void>
}

export async function reportFloor(): Promise<ReportFloor> {
  console.info(`seed ${SEED}`)
  const floor = await testManage()
  const { kysely: db } = floor.database
  const refreshed = async (): Promise<void> => {
    floor.context.wakeSchedule('reportRefresh')
    await floor.settle()
  }
  await sql`truncate sys_user cascade`.execute(db)
  await seedDemo(floor.context, { customers: 120, seed: SEED })
  await sql`update sys_config set value = 'false' where code = 'login.twoFactorRequired'`.execute(
    db,
  )
  // parents of the orders that tests add
  await sql`
    insert into channel (id, code, name, kind) values ('CH1', 'test', 'Test', 'organic')
    on conflict do nothing`.execute(db)
  await sql`
    insert into app (id, code, name) values ('A1', 'test', 'Test') on conflict do nothing`.execute(
    db,
  )
  const director = await floor.signIn('director')
  await refreshed()
  return { floor, director, refreshed }
}
