/** Customers to bring back, and manage with telemarketing only, at 11:00 IST. */
import { sql } from 'kysely'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import { claimTask, followTask } from '#shared/telemarketing/tele-api.ts'
import { TELE_MENU } from '#shared/telemarketing/tele-menu.ts'
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { releaseLeasesOf } from '#gateway/manage/features/telemarketing/desk/return-task.ts'
import { nodeJob } from '#gateway/manage/features/telemarketing/nodes/node-job.ts'
import { teleTasks } from '#gateway/manage/features/telemarketing/segments/task-follow-job.ts'
import { TELE_AUDIENCE } from '#gateway/manage/features/telemarketing/tele-audience.ts'
import { teleRoutes } from '#gateway/manage/features/telemarketing/tele-routes.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { makeBorrower, makeProduct } from './orders.ts'

export type TeleFloor = Floor & {
  clock: TestClock
  /** Works off what customers did. */
  follow: () => Promise<void>
}

export async function teleFloor(): Promise<TeleFloor> {
  const floor = await testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...TICKETS_MENU, ...TELE_MENU],
      audiences: [TELE_AUDIENCE],
      jobTypes: [nodeJob],
      onLogout: [releaseLeasesOf],
      routes: (base, context) => teleRoutes(base, context),
    }),
  })
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  return {
    ...floor,
    clock,
    async follow() {
      await teleTasks.run(floor.context)
    },
  }
}

/** A customer who registered and was never certified. */
export async function makeUncertified(floor: Floor): Promise<string> {
  const { customerId } = await makeBorrower(floor)
  await sql`update customer set certified = false where id = ${customerId}`.execute(
    floor.database.kysely,
  )
  return customerId
}

/** The person takes the next customer and plans another contact; @returns the task as it was taken. */
export async function planFollowUp(person: Person, segment: Segment, nextFollowTime: string) {
  const task = await person.call(claimTask, { segment })
  const { taskId, version, token } = task
  const contact = { contactWay: 'phone', result: 21, nextFollowTime } as const
  await person.call(followTask, { taskId, version, token, ...contact })
  return task
}

/** A promotional line of the person. */
export async function bindLine({ kysely }: Database, userId: string): Promise<void> {
  await sql`
    insert into phone_line (number, kind, vendor_code, seat_number, bound_user_id, concurrency, daily_cap,
      status)
    values (${`140${userId}`}, 'promotional', 'voice', ${`T-${userId}`}, ${userId}, 1, 300, 'enabled')`.execute(
    kysely,
  )
}

export async function makeManyUncertified(
  floor: Floor,
  count: number,
  given: { prefix?: string } = {},
): Promise<void> {
  // with an app and a channel
  await makeProduct(floor)
  await insertUncertified(floor.database, count, given)
}

/**
 * Many uncertified customers with their waiting tasks, by one statement each; the n-th registered n
 * hours ago. Their numbers cannot be opened. An app and a channel are there.
 */
export async function insertUncertified(
  { kysely }: Database,
  count: number,
  { prefix = 'C88' }: { prefix?: string } = {},
): Promise<void> {
  await sql`
    insert into customer (id, name, phone_enc, phone_h, phone_last4, channel_id, app_id, certified,
      entry_count, city, birthday, registered_at)
    select ${prefix} || lpad(n::text, 7, '0'), 'Customer ' || n, 'x', decode(md5(${prefix} || n::text), 'hex'),
      lpad((n % 10000)::text, 4, '0'), h.id, a.id, false, n % 10,
      (array['Pune', 'Delhi', 'Goa'])[1 + n % 3], date '1990-01-01' + n % 5000,
      clock_timestamp() - make_interval(hours => n % 2000)
    from generate_series(1, ${count}::int) n
    cross join (select id from channel limit 1) h cross join (select id from app limit 1) a
    on conflict (id) do nothing`.execute(kysely)
  await sql`
    insert into tele_task (customer_id, segment, loss_at)
    select c.id, 'no_certified', c.registered_at from customer c
    where c.id like ${`${prefix}%`} and length(c.id) = length(${prefix}) + 7`.execute(kysely)
  await sql`delete from tele_mark`.execute(kysely)
}

/** The person works in these segments. */
export async function makeTaker(
  { kysely }: Database,
  userId: string,
  segments: readonly string[],
  capacity = 100,
): Promise<void> {
  await sql`
    insert into tele_person (user_id, segments, capacity) values (${userId}, ${segments}, ${capacity})
    on conflict (user_id) do update set segments = excluded.segments, capacity = excluded.capacity`.execute(
    kysely,
  )
}
