/**
 * The product beside the model: manage with its database, machines that sign, signed-in users, and
 * a clock that is moved day by day.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addCoupon } from '#shared/coupons/coupons-api.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { login } from '#shared/session/session-api.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Manage } from '#gateway/manage/core.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { couponExpire } from '#gateway/manage/features/coupons/coupon-expire-job.ts'
import { casePaid, openDayCases } from '#gateway/manage/features/collection/public.ts'
import { openDay } from '#gateway/manage/features/repayments/open-day-job.ts'
import { reduceExpire } from '#gateway/manage/features/repayments/reductions/reduce-expire-job.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { testDatabase } from '#tests/support/database.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { addAccounts, PASSWORD, request } from '#tests/support/manage.ts'
import { COUPONS, EXTENSION, PENALTIES, TERMS } from '../actions.ts'

/** Loan product of each borrower: they differ in their fines. */
export const LOAN_PRODUCTS = PENALTIES.map((_, n) => `PRM${n}`)
const STAFF = ['manager', 'manager2', 'director', 'customer_service', 'reviewer'] as const
export type Account = (typeof STAFF)[number]

export interface Product {
  readonly manage: Manage
  readonly database: Database
  readonly clock: TestClock
  readonly machine: Machine
  readonly tokens: ReadonlyMap<Account, string>
  /** Ids, in the order of COUPONS. */
  readonly coupons: readonly string[]
  /** IST day of a day of the model. */
  dayOf(day: number): string
  close(): Promise<void>
}

/** Its first day, 0, is open. */
export async function openProduct(): Promise<Product> {
  const { database, close: closeDatabase } = await testDatabase()
  const clock = await testClock(database)
  const manage = await buildManage(
    {
      database,
      masterKey: Buffer.alloc(32, 1),
      log: createLogger('silent'),
      version: { version: 'test', commit: 'test', build: 'test' },
      internalSecret: randomUUID(),
      production: false,
      checkAnswers: true,
    },
    { kind: 'none' },
  )
  // nobody listens: the relay would publish after every command
  Object.assign(manage.context, { wakeRelay: () => undefined })
  await syncRolesAndMenus(database, manage.parts.menus)
  await addAccounts(database)
  await addLoanProducts(manage, database)
  await setParameters(database)
  const machine = await machineOf({ context: manage.context, manage }, [
    'application',
    'machineReview',
    'payout',
    'payment',
  ])
  const tokens = await signIn(manage)
  const firstDay = istDay(Date.now())
  await openDayAt({ manage, clock }, firstDay)
  return {
    manage,
    database,
    clock,
    machine,
    tokens,
    coupons: await addCoupons(manage, tokens.get('manager') ?? ''),
    dayOf: (day) => addDays(firstDay, day),
    async close() {
      await manage.close()
      await closeDatabase()
    },
  }
}

/** The jobs of a day, in its late morning. */
export async function openDayAt(
  { manage: { context }, clock }: Pick<Product, 'manage' | 'clock'>,
  day: string,
): Promise<void> {
  await clock.to('11:00', day)
  await openDay([openDayCases]).run(context)
  await reduceExpire([casePaid]).run(context)
  await couponExpire.run(context)
}

async function addLoanProducts(manage: Manage, { kysely }: Database): Promise<void> {
  const { periods, daysPerPeriod, serviceRate, dailyRate, coolingOffDays } = TERMS
  const extend = { ...EXTENSION, enabled: true, feeType: 'rate' }
  for (const [n, id] of LOAN_PRODUCTS.entries()) {
    await makeProduct(manage, {
      id,
      periods,
      daysPerPeriod,
      serviceRate,
      dailyRate,
      coolingOffDays,
    })
    await sql`
      update product set extend = ${JSON.stringify(extend)}::jsonb,
        penalty = ${JSON.stringify(PENALTIES[n])}::jsonb where id = ${id}`.execute(kysely)
  }
}

/**
 * Sessions outlast the years that pass; bad debt after days instead of months; a request expires as
 * in the model.
 */
async function setParameters({ kysely }: Database): Promise<void> {
  await sql`
    update sys_config set value = '50000000'
      where code in ('session.idleMinutes', 'session.idleMinutesAdmin', 'session.absoluteHours',
      'session.renewMinutes')`.execute(kysely)
  await sql`
    update sys_config set value = case code when 'order.badDebtDays' then ${String(TERMS.badDebtDays)}
      else '1000000' end where code in ('order.badDebtDays', 'approval.hours')`.execute(kysely)
}

async function signIn({ app }: Manage): Promise<Map<Account, string>> {
  const tokens = new Map<Account, string>()
  for (const account of STAFF) {
    const answer = await request(app, login, { username: account, password: PASSWORD }, {})
    tokens.set(account, answer.json<Envelope<{ token: string }>>().data.token)
  }
  return tokens
}

async function addCoupons({ app }: Manage, authorization: string): Promise<string[]> {
  const ids: string[] = []
  for (const [n, { part, rate, most, least, days }] of COUPONS.entries()) {
    const answer = await request(
      app,
      addCoupon,
      {
        name: `Coupon ${n}`,
        type: 'reduction',
        amountType: rate === null ? 'fixed' : 'rate',
        preferentialType: part === 'fine' ? 'overdueFine' : 'interest',
        discountAmount: most,
        ...(rate === null ? {} : { rate }),
        minAmount: least,
        validDays: days,
      },
      { authorization, 'idempotency-key': randomUUID() },
    )
    ids.push(answer.json<Envelope<{ couponId: string }>>().data.couponId)
  }
  return ids
}
