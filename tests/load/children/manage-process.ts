/**
 * Manage as main.ts starts it, with an additional command: changes of orders at a steady rate, so
 * that real commits can be timed where they happen.
 */
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { readConfig } from '#gateway/config.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { openBook } from '#gateway/open-book.ts'
import { type Prepared, prepareManage } from '#gateway/prepare-manage.ts'
import { ORDER_STATUS_CHANGED, ORDER_UPDATED } from '#shared/orders/orders-live.ts'
import { ageBook } from '../aged-book.ts'
import { makeDayBook, openNextDay } from '../day-book.ts'
import { grow, type Growth } from '../growth.ts'
import { untilFollowedUp } from '../marks.ts'
import { sharedNow } from '../measure.ts'
import {
  type PaceOfPayments,
  payAtPace,
  paymentChannel,
  rowsOfPayments,
} from '../payment-channel.ts'
import { deliveredFor, makePool, type Pool } from '../pool.ts'
import {
  type Days,
  fillDay,
  fullestDays,
  makeReportBook,
  type PlainDays,
  plainMs,
} from '../report-book.ts'
import { BENCH_FIELD } from './bare-event.ts'
import { serveBench } from './child.ts'
import { atPace } from './pace.ts'

export interface CommitLoad {
  perSecond: number
  count: number
  orderIds: string[]
  /** Rooms of the events; default each order's own room. */
  rooms?: string[]
}
/** Changes of fields shown in a list; everyone who sees all orders receives them. */
export type MoveLoad = Omit<CommitLoad, 'rooms'>
/** A call that answers a report of a range of days. */
export interface TimedReport {
  path: string
  menu: string
}
/** When the commit of each change was acknowledged: `order:id version` and the shared clock. */
export type Commits = [string, number][]

let prepared: Prepared | null = null
function started(): Prepared {
  if (!prepared) throw new Error('manage was not started')
  return prepared
}

serveBench({
  async start(env: Record<string, string>) {
    const config = readConfig({ ROLE: 'manage', LOG_LEVEL: 'error', ...env }, '')
    const log = createLogger('error')
    const database = await openBook(config, log, (error) => {
      throw error
    })
    prepared = await prepareManage(
      config,
      { version: 'bench', commit: 'bench', build: 'bench' },
      config.internalSecret as string,
      log,
      database,
    )
    await prepared.manage.settle()
    await prepared.manage.app.listen({ host: '127.0.0.1', port: 0 })
    await prepared.manage.internal.listen({ host: '127.0.0.1', port: 0 })
  },
  urls: () => ({
    calls: urlOf(started().manage.app.server.address()),
    feed: urlOf(started().manage.internal.server.address()),
  }),
  settle: () => started().manage.settle(),
  commit,
  move,
  age: (events: number) => ageBook(started().manage.context, events),
  paymentChannel: () => paymentChannel(started().manage.context),
  payAtPace: (pace: PaceOfPayments) => payAtPace(started().manage.context, pace),
  rowsOfPayments: () => rowsOfPayments(started().manage.context),
  grow: (growth: Growth) => grow(started().manage.context.database, growth),
  makeDayBook: (plans: number) => makeDayBook(started().manage.context.database, plans),
  openNextDay: () => openNextDay(started().manage.context),
  makePool: addPool,
  deliveredFor: (runId: string) => deliveredFor(started().manage.context.database, runId),
  makeReportBook: (orders: number) => makeReportBook(started().manage.context.database, orders),
  reports: () => timedReports(started().manage),
  plainMs: (days: PlainDays) => plainMs(started().manage.context.database, days),
  fullestDays: (days: Days) => fullestDays(started().manage.context.database, days),
  fillDay: (day: string) => fillDay(started().manage.context.database, day),
})

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`
}

/** The follow-up of the pool's customers and days is more work than an allocation, and no part of it. */
async function addPool(pool: Pool): Promise<null> {
  const { database } = started().manage.context
  await makePool(database, pool)
  await untilFollowedUp(database, 'tele_mark')
  await untilFollowedUp(database, 'report_mark')
  return null
}

function timedReports({ endpoints }: Prepared['manage']): TimedReport[] {
  return endpoints.flatMap(({ method, path, exports, input, menu }) =>
    method === 'GET' &&
    path.startsWith('/report/') &&
    exports !== undefined &&
    'dateFrom' in input.properties
      ? [{ path, menu: menu ?? '' }]
      : [],
  )
}

async function commit({ perSecond, count, orderIds, rooms }: CommitLoad): Promise<Commits> {
  const { context } = started().manage
  const commits: Commits = []
  await atPace(perSecond, count, async (n) => {
    const orderId = orderIds[n % orderIds.length] as string
    const { result } = await runCommand(
      context,
      { actor: systemActor('bench'), audit: { action: 'bench' } },
      async (tx) => {
        const { rows } = await sql<{
          version: number
        }>`
          update loan_order set version = version + 1, updated_at = clock_timestamp()
          where id = ${orderId} returning version`.execute(tx.db)
        const { version } = rows[0] as { version: number }
        tx.emit(ORDER_UPDATED, {
          subject: `order:${orderId}`,
          version,
          rooms: rooms ?? [`order:${orderId}`],
          data: { orderId, fields: [BENCH_FIELD] },
        })
        return version
      },
    )
    commits.push([`order:${orderId} ${result}`, sharedNow()])
  })
  return commits
}

interface ShownRow {
  customer_id: string
  status: number
  tags: string[]
  outstanding: number
  close_type: string
  closed_at: string | null
  due_at: string | null
  disbursed_at: string | null
  fail_reason: string | null
  version: number
}

async function move({ perSecond, count, orderIds }: MoveLoad): Promise<void> {
  const { context } = started().manage
  await atPace(perSecond, count, async (n) => {
    const orderId = orderIds[n % orderIds.length] as string
    await runCommand(
      context,
      { actor: systemActor('bench'), audit: { action: 'bench' } },
      async (tx) => {
        const { rows } = await sql<ShownRow>`
        update loan_order set version = version + 1, outstanding = outstanding + 100,
          due_at = due_at + case version % 2 when 0 then 1 else -1 end, updated_at = clock_timestamp(),
          tags = case when 'extension' = any (tags) then array_remove(tags, 'extension')
            else tags || '{extension}' end
        where id = ${orderId} returning *`.execute(tx.db)
        const row = rows[0] as ShownRow
        tx.emit(ORDER_STATUS_CHANGED, {
          subject: `order:${orderId}`,
          version: row.version,
          rooms: [`order:${orderId}`, 'scope:all'],
          data: {
            orderId,
            userId: row.customer_id,
            from: row.status,
            to: row.status,
            tags: row.tags,
            outstanding: row.outstanding,
            closeType: row.close_type,
            closeTime: row.closed_at,
            dueTime: row.due_at,
            disburseTime: row.disbursed_at,
            failReason: row.fail_reason,
            cause: 'bench',
          },
        })
      },
    )
  })
}
