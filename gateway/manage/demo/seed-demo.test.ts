import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { istDay } from '#shared/kernel/time.ts'
import { ORDER_STATUSES, type OrderStatus } from '#shared/orders/order-statuses.ts'
import { orderLifecycle } from '#shared/orders/order-lifecycle.ts'
import { REVIEW_STATES } from '#shared/review/review-lifecycle.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { REVIEW_MENU } from '#shared/review/review-menu.ts'
import { customerPhoto } from '#shared/customers/photo-api.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { customersRoutes } from '#gateway/manage/features/customers/customers-routes.ts'
import {
  historyOf,
  readHistories,
  type StoredHistory,
} from '#gateway/manage/features/repayments/history/read-history.ts'
import { stateOf } from '#gateway/manage/features/repayments/history/refold.ts'
import { readLoans } from '#gateway/manage/features/repayments/loan-store.ts'
import { passwordFits } from '#gateway/manage/features/session/password.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { isAadhaar } from '#gateway/manage/features/customers/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { hasLetter } from '#gateway/manage/kernel/pictures/letters.ts'
import { secretsOf } from '#gateway/manage/kernel/secrets.ts'
import { testDatabase } from '#tests/support/database.ts'
import { dumpText } from '#tests/support/dump.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { demoAccounts, isEmptyBook, seedDemo } from './seed-demo.ts'
import { personOf } from './people.ts'

const CUSTOMERS = 400
const SEED = 7
const AS_OF = '2026-03-10T09:30:00.000Z'
const secrets = secretsOf(Buffer.alloc(32, 1))

let floor: Floor
beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REVIEW_MENU],
      routes: (base) => customersRoutes(base, context),
    }),
  })
  expect(await isEmptyBook(floor.database)).toBe(true)
  await seedDemo(floor.context, { customers: CUSTOMERS, seed: SEED, asOf: AS_OF })
})
afterAll(() => floor.close())

async function all<T>(
  query: ReturnType<typeof sql<T>>,
  database: Database = floor.database,
): Promise<T[]> {
  return (await query.execute(database.kysely)).rows
}

test('no invariant is broken', async () => {
  expect(await brokenInvariants(floor.database)).toEqual([])
})

test('every order that waits for its payout was approved', async () => {
  const short = await all<{ id: string }>(sql`
    select o.id from loan_order o cross
      join lateral (select g.final_limit from credit_grant g where g.customer_id = o.customer_id
      order by g.created_at desc, g.id desc limit 1) g
    where o.status in (20, 26, 29, 31) and g.final_limit < o.amount`)
  expect(short).toEqual([])
})

test('every order status and every state of a review is there', async () => {
  const statuses = await all<{ status: OrderStatus }>(
    sql`select distinct o.status from loan_order o order by 1`,
  )
  expect(statuses.map(({ status }) => status)).toEqual([...ORDER_STATUSES])
  const states = await all<{ state: string }>(sql`select distinct r.state from review r`)
  expect(states.map(({ state }) => state).toSorted()).toEqual([...REVIEW_STATES].toSorted())
})

test('every overdue loan has a case in the stage of its days, and most have a collector who serves it', async () => {
  const stages = await all<{ id: string; cases: number }>(
    sql`
      select s.stage_id as id, count(c.id)::int as cases from stage s left
        join collection_case c on c.stage_id = s.stage_id and c.state <> 'closed'
        group by s.stage_id, s.min_days order by s.min_days`,
  )
  expect(stages.map((stage) => stage.id)).toEqual(['T0', 'T1', 'T2', 'S1', 'S2', 'M1', 'M2', 'M3'])
  for (const { id, cases } of stages) expect(cases, id).toBeGreaterThan(0)
  const wrong = await all<{ id: string }>(sql`
    select c.id from collection_case c join stage s on s.stage_id = c.stage_id left
      join collector k on k.user_id = c.collector_id
    where c.overdue_days < s.min_days or c.overdue_days > coalesce(s.max_days, c.overdue_days)
      or (c.collector_id is not null and not s.stage_id = any(k.stage_ids))`)
  expect(wrong).toEqual([])
  const states = await all<{ state: string }>(
    sql`select distinct c.state from collection_case c order by 1`,
  )
  expect(states.map(({ state }) => state)).toEqual([
    'allocated',
    'closed',
    'held',
    'promised',
    'unallocated',
  ])
})

test('no contact was made outside the calling hours', async () => {
  const outside = await all<{ id: string }>(
    sql`
      select f.id from follow_up f
        where (f.created_at at time zone 'Asia/Kolkata')::time not between '08:00' and '18:59:59'`,
  )
  expect(outside).toEqual([])
  expect((await all(sql`select 1 from follow_up limit 1`)).length).toBe(1)
})

test('sixty people collect, in three agencies whose weights total 100', async () => {
  const [staff] = await all<{ people: number; agencies: number; groups: number }>(sql`
    select (select count(*)::int from sys_user u
      where u.agency_id is not null) as people, (select count(*)::int
      from agency) as agencies, (select count(*)::int from team_group) as groups`)
  expect(staff).toEqual({ people: 60, agencies: 3, groups: 7 })
})

test('every step of every order is one that the lifecycle has', async () => {
  const steps = await all<{ from_status: number; to_status: number }>(
    sql`select distinct l.from_status, l.to_status from order_status_log l where l.from_status is not null`,
  )
  const known = new Set(
    '10>20 10>21 10>22 10>23 10>70 20>29 20>70 22>26 22>27 22>70 26>29 26>70 29>30 29>31 30>43 30>50 30>100 31>29 31>70 43>30 43>40 43>41 43>50 43>80 43>90 50>43 50>90 50>100 50>110 90>43 90>100 90>110'.split(
      ' ',
    ),
  )
  for (const { from_status, to_status } of steps) {
    expect(known).toContain(`${from_status}>${to_status}`)
    expect(orderLifecycle.allowed(`${from_status as OrderStatus}`)).not.toEqual([])
  }
})

test('overdue days follow the IST calendar and the buckets are filled', async () => {
  const today = istDay(AS_OF)
  const wrong = await all(sql`
    select p.id from repay_plan p join loan_order o on o.id = p.order_id
    where o.status in (30, 43, 50, 90) and p.outstanding > 0
      and p.overdue_days <> greatest(0, ${today}::date - p.due_at)`)
  expect(wrong).toEqual([])
  const mixed = await all(
    sql`
      select o.id from loan_order o where (o.status = 50 and o.overdue_days not between 1 and 90)
        or (o.status = 90 and o.overdue_days < 91) or (o.status = 30 and o.overdue_days > 0)`,
  )
  expect(mixed).toEqual([])
  for (const [from, to] of [
    [0, 0],
    [1, 1],
    [2, 3],
    [4, 7],
    [8, 10],
    [11, 30],
    [31, 60],
    [61, 90],
  ] as const) {
    const found = await all(
      sql`
        select o.id from loan_order o join repay_plan p on p.order_id = o.id where o.status in (30, 50)
          and p.outstanding > 0 and ${today}::date - p.due_at between ${from}::int and ${to}::int limit 1`,
    )
    expect(found, `${from} to ${to} days`).toHaveLength(1)
  }
})

test('the queue is up to 25 minutes old, and claims run', async () => {
  const [queue] = await all<{ waiting: number; oldest: number }>(sql`
    select count(*)::int as waiting, extract(epoch
      from ${AS_OF}::timestamptz - min(r.queued_at))::int as oldest from review r
      where r.state = 'unclaimed'`)
  expect(queue?.waiting).toBe(3)
  expect(queue?.oldest).toBeGreaterThan(15 * 60)
  expect(queue?.oldest).toBeLessThanOrEqual(25 * 60)
  const [claims] = await all(
    sql`
      select bool_and(least(r.idle_until, r.live_until) > ${AS_OF}::timestamptz) as live,
        max(n)::int as most from (select r.*, count(*) over (partition by r.reviewer_id) as n from review r
        where r.idle_until is not null) r`,
  )
  expect(claims).toMatchObject({ live: true })
  expect(await all(sql`select h.id from review_handover h where h.state = 'pending'`)).not.toEqual(
    [],
  )
})

test('tickets of every type stand in every state, some late, some offered, and grievances hold cases', async () => {
  const kinds = await all<{ type: number; states: string[] }>(
    sql`
      select t.type, array_agg(distinct t.progress order by t.progress) as states from feedback t
        group by t.type order by t.type`,
  )
  expect(kinds.map(({ type }) => type)).toEqual([1, 2, 3, 4, 5, 6])
  expect(new Set(kinds.flatMap(({ states }) => states))).toEqual(
    new Set(['finished', 'followingUp', 'unprocessed']),
  )
  const [figures] = await all(sql`
    select count(*) filter (where t.queue = 'loaned') > 0 as loaned,
      count(*) filter (where t.progress <> 'finished' and t.due_at <= ${AS_OF}::timestamptz) > 0 as late,
      count(*) filter (where t.progress <> 'finished' and t.due_at > ${AS_OF}::timestamptz
        and t.due_at <= ${AS_OF}::timestamptz + interval '1 hour') > 0 as soon,
      count(*) filter (where t.idle_until > ${AS_OF}::timestamptz) > 0 as claimed,
        count(*) filter (where t.handover_state = 'pending') > 0 as offered,
        count(*) filter (where t.level > 0) > 0 as raised,
      count(*) filter (where t.evaluation is not null) > 0 as rated,
        bool_and(t.created_at < ${AS_OF}::timestamptz and t.updated_at <= ${AS_OF}::timestamptz) as past
    from feedback t`)
  expect(figures).toEqual({
    loaned: true,
    late: true,
    soon: true,
    claimed: true,
    offered: true,
    raised: true,
    rated: true,
    past: true,
  })
  const [held] = await all<{ n: number }>(
    sql`
      select count(*)::int as n from collection_case c
        join stop_collection s on s.customer_id = c.customer_id and s.state = 'active'
        and s.ticket_id is not null where c.state = 'held' and c.hold_reason = 'grievance'`,
  )
  expect(held?.n).toBeGreaterThan(1)
  expect(
    await all(
      sql`
        select s.id from feedback_step s join feedback t on t.id = s.feedback_id
          where s.at > ${AS_OF}::timestamptz or s.at < t.created_at`,
    ),
  ).toEqual([])
  expect(
    await all(
      sql`
        select 1 from (select x.at < lag(x.at) over (partition by x.feedback_id order by x.id) as back
          from feedback_step x) t where t.back`,
    ),
  ).toEqual([])
})

test('nothing happened after the time of the seed, or before the customer was registered', async () => {
  const late = await all(sql`
    select 'log' from order_status_log l where l.at > ${AS_OF}::timestamptz
    union all select 'entry' from ledger_entry e where e.at > ${AS_OF}::timestamptz
      or e.biz_date > ${istDay(AS_OF)}::date
    union all select 'review' from review_log r where r.at > ${AS_OF}::timestamptz
    union all select 'order' from loan_order o join customer c on c.id = o.customer_id
      where o.created_at < c.registered_at`)
  expect(late).toEqual([])
})

test('the log of each record is in chronological order', async () => {
  const back = await all(sql`
    select 1 from (select l.at < lag(l.at) over (partition by l.order_id order by l.id) as back
      from order_status_log l) t where t.back
    union all select 2 from (select l.at < lag(l.at) over (partition by l.review_id order by l.id) as back
      from review_log l) t where t.back`)
  expect(back).toEqual([])
})

test('ids follow the time of application, and the sequences continue after them', async () => {
  const [order] = await all(
    sql`
      select bool_and(o.created_at >= o.before) as sorted
        from (select o.created_at, lag(o.created_at) over (order by o.id) as before from loan_order o) o
        where o.before is not null`,
  )
  expect(order).toEqual({ sorted: true })
  for (const [table, sequence, letter] of [
    ['loan_order', 'order_id_seq', 'L'],
    ['customer', 'customer_id_seq', 'C'],
    ['review', 'review_id_seq', 'R'],
    ['repay_plan', 'plan_id_seq', 'P'],
    ['payout_transfer', 'transfer_id_seq', 'T'],
    ['blacklist', 'blacklist_id_seq', 'B'],
    ['review_handover', 'handover_id_seq', 'H'],
    ['feedback', 'feedback_id_seq', 'FB'],
    ['feedback_handover', 'feedback_handover_id_seq', 'FH'],
  ]) {
    // rows of money ahead of an EMI plan are numbered by their payments
    const [next] = await all<{ free: boolean }>(
      sql`
        select ${letter} || nextval(${sequence}) > (select max(t.id)
          from ${sql.table(table as string)} t where t.id ~ ${`^${letter}[0-9]`}) as free`,
    )
    expect(next, table).toEqual({ free: true })
  }
  const [txn] = await all<{ free: boolean }>(
    sql`select 'X' || nextval('ledger_txn_seq') > (select max(e.txn_id) from ledger_entry e) as free`,
  )
  expect(txn).toEqual({ free: true })
})

test('no personal number is stored unsealed in any table', async () => {
  const secret = new Set<string>()
  for (let i = 0; i < CUSTOMERS; i += 1) {
    const person = personOf(SEED, i, istDay(AS_OF))
    for (const value of [
      person.phone,
      person.pan,
      person.aadhaar,
      person.bank.account,
      ...person.contacts.map((contact) => contact.phone),
    ])
      secret.add(value)
    expect(isAadhaar(person.aadhaar)).toBe(true)
    expect(person.pan).toMatch(/^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/)
    expect(person.pan[4]).toBe(person.name.split(' ')[1]?.[0])
    expect(person.phone).toMatch(/^[6-9]\d{9}$/)
    expect(person.bank.ifsc).toMatch(/^[A-Z]{4}0[A-Z0-9]{6}$/)
  }
  const dump = await dumpText(floor.database)
  const drawings = (
    await all<{ text: string }>(
      sql`select convert_from(f.content, 'UTF8') as text from file_object f where f.purpose = 'synthetic'`,
    )
  ).map(({ text }) => text)
  expect(drawings.length).toBeGreaterThan(100)
  const found = [dump, ...drawings].flatMap((text) =>
    [...text.matchAll(/(?<![0-9A-Za-z])(?:\d{9,18}|[A-Z]{5}\d{4}[A-Z])(?![0-9A-Za-z])/g)]
      .map(([value]) => value)
      .filter((value) => secret.has(value)),
  )
  expect(found).toEqual([])
})

test('sealed values can be opened, in their own row only', async () => {
  const [row] = await all<{ id: string; phone_enc: Buffer; phone_h: Buffer }>(
    sql`select c.id, c.phone_enc, c.phone_h from customer c order by c.id limit 1`,
  )
  const { phone } = personOf(SEED, 0, istDay(AS_OF))
  expect(row && secrets.open('customer.phone_enc', row.id, row.phone_enc)).toBe(phone)
  expect(row?.phone_h.equals(secrets.blindIndex('phone', phone))).toBe(true)
  const [transfer] = await all<{ id: string; account_enc: Buffer; account_last4: string }>(
    sql`select t.id, t.account_enc, t.account_last4 from payout_transfer t limit 1`,
  )
  expect(
    transfer &&
      secrets.open('payout_transfer.account_enc', transfer.id, transfer.account_enc).slice(-4),
  ).toBe(transfer?.account_last4)
})

test('drawn documents open under the watermark', async () => {
  const [manager, administrator] = [
    await floor.signIn('manager'),
    await floor.signIn('administrator'),
  ]
  const photos = await all<{ id: string }>(
    sql`
      select p.id from customer_photo p join review r on r.customer_id = p.customer_id
        where r.state = 'unclaimed' order by p.id limit 4`,
  )
  expect(photos).toHaveLength(4)
  for (const { id } of photos) {
    const answer = await manager.send(customerPhoto, { photoId: id })
    expect(answer.headers['content-type']).toBe('image/jpeg')
    expect(
      (await administrator.send(customerPhoto, { photoId: id })).rawPayload.equals(
        answer.rawPayload,
      ),
    ).toBe(false)
  }
})

test('every drawn text consists of known letters', async () => {
  const drawings = await all<{ text: string }>(
    sql`select convert_from(f.content, 'UTF8') as text from file_object f where f.purpose = 'synthetic'`,
  )
  const letters = new Set(
    drawings.flatMap(({ text }) =>
      [...text.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].flatMap(([, words = '']) => [
        ...words.replaceAll('&amp;', '&'),
      ]),
    ),
  )
  expect(letters.size).toBeGreaterThan(40)
  expect([...letters].filter((letter) => !hasLetter(letter))).toEqual([])
})

test('files of tickets and stops have the time of their step', async () => {
  const [figures] = await all(sql`
    select (select count(distinct s.feedback_id) from feedback_file x
      join feedback_step s on s.id = x.step_id) > 5 as tickets, (select count(distinct x.stop_id)
      from stop_file x) > 0 as stops,
      (select bool_and(o.created_at = s.at) from feedback_file x join feedback_step s on s.id = x.step_id
        join file_object o on o.id = x.file_id) as together`)
  expect(figures).toEqual({ tickets: true, stops: true, together: true })
  const drawn = await all<{ text: string }>(
    sql`
      select convert_from(o.content, 'UTF8') as text from file_object o
        where o.id in (select file_id from feedback_file union all select file_id from stop_file)`,
  )
  for (const { text } of drawn) expect(text).toContain('Drawn sample')
})

test('people who call have lines, and announcements exist for everybody and for callers', async () => {
  const lines = await all<{ kind: string; account: string | null }>(
    sql`
      select p.kind, u.account from phone_line p left join sys_user u on u.id = p.bound_user_id
        where p.status = 'enabled'`,
  )
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(
    new Set(['service', 'promotional', 'whatsapp', 'ai']),
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      { kind: 'service', account: 'collector' },
      { kind: 'whatsapp', account: 'collector' },
      { kind: 'promotional', account: 'tele_uncertified' },
    ]),
  )
  const announcements = await all<{ roles: string[]; early: boolean }>(
    sql`
      select n.roles, n.published_at < ${AS_OF} as early from notice n where n.status = 'published'
        order by n.published_at`,
  )
  expect(announcements).toEqual([
    { roles: [], early: true },
    { roles: ['collector', 'collection_specialist'], early: true },
    { roles: ['manager', 'director', 'reviewer'], early: true },
  ])
})

test('telemarketing has two months of tasks: open ones in every lane, and conversions', async () => {
  const [figures] = await all<Record<string, boolean>>(
    sql`
      select count(*) filter (where t.state = 'assigned') > 5 as open,
        count(*) filter (where t.state = 'converted') > 5 as converted,
        count(distinct t.segment) = 4 as segments,
        bool_and(t.follow_count = (select count(*) from tele_record r where r.task_id = t.id)) as followed,
        bool_and((t.credited_to is not null) = (t.state = 'converted')) as credited,
        (select bool_and(r.created_at >= t.loss_at and (r.created_at at time zone 'Asia/Kolkata')::time
            >= '10:00' and (r.created_at at time zone 'Asia/Kolkata')::time < '21:00')
          from tele_record r join tele_task t on t.id = r.task_id) as "inHours",
        count(*) filter (where t.segment = 'loan_failed' and t.state = 'converted') > 0 as "paidAgain"
      from tele_task t`,
  )
  expect(figures).toEqual({
    open: true,
    converted: true,
    segments: true,
    followed: true,
    credited: true,
    inHours: true,
    paidAgain: true,
  })
})

test('EMI loans run, are late, were paid ahead both ways and paid back, and follow from their history', async () => {
  const [figures] = await all(sql`
    select bool_or(o.status = 30) as running, bool_or(o.status = 50) as late,
      bool_or(o.status = 40 and f.id is not null) as foreclosed,
      bool_or(p.kinds ? 'prepayment' and p.states ? 'dropped') as fewer,
      bool_or(p.kinds ? 'prepayment' and not p.states ? 'dropped') as lower,
      bool_or(o.id in (select r.order_id from repay_record r where r.bounce_charge > 0)) as bounced
    from loan_order o left join repay_plan f on f.order_id = o.id and f.kind = 'foreclosure'
    cross join lateral (select jsonb_agg(x.kind) as kinds, jsonb_agg(x.payment_status) as states
      from repay_plan x where x.order_id = o.id) p
    where o.product_snapshot ? 'emi'`)
  expect(figures).toEqual({
    running: true,
    late: true,
    foreclosed: true,
    fewer: true,
    lower: true,
    bounced: true,
  })
  const ids = await all<{ id: string }>(sql`
    select o.id from loan_order o where o.status in (30, 50) and o.product_snapshot ? 'emi'`)
  const db = floor.database.kysely
  const loans = await readLoans(
    db,
    ids.map(({ id }) => id),
  )
  const histories = await readHistories(db, loans)
  for (const loan of loans) {
    const stored = histories.get(loan.orderId) as StoredHistory
    expect(
      stateOf(loan, stored.terms, historyOf(stored), istDay(AS_OF)),
      loan.orderId,
    ).not.toBeNull()
  }
})

test('coupons have two months of grants in every state, and those used have their postings', async () => {
  const states = await all<{ state: string; some: boolean }>(sql`
    select g.state, count(*) > 2 as some from coupon_grant g group by g.state order by g.state`)
  expect(states).toEqual(
    ['expired', 'revoked', 'unused', 'used'].map((state) => ({ state, some: true })),
  )
  const [budgets] = await all<{ near: number }>(sql`
    select count(*)::int as near from coupon k where k.committed * 10 >= k.budget * 8`)
  expect(budgets).toEqual({ near: 1 })
})

test('a database is seeded once', async () => {
  expect(await isEmptyBook(floor.database)).toBe(false)
  expect(await seedDemo(floor.context, { customers: CUSTOMERS, seed: SEED, asOf: AS_OF })).toEqual({
    customers: 0,
    orders: 0,
    rows: 0,
  })
})

/**
 * A hash over every row; sealed bytes and the password's salt differ each time, what they say does
 * not.
 */
async function fingerprint(seed: number): Promise<string> {
  const { database, close } = await testDatabase()
  try {
    await syncRolesAndMenus(database, [])
    // seeding needs the database and the keys alone
    await seedDemo({ database, secrets } as AppContext, { customers: 60, seed, asOf: AS_OF })
    expect(await brokenInvariants(database)).toEqual([])
    const hash = createHash('sha256')
    for (const table of [
      'customer',
      'customer_contact',
      'customer_kyc',
      'bank_card',
      'customer_photo',
      'customer_device',
      'blacklist',
      'credit_grant',
      'file_object',
      'loan_order',
      'order_status_log',
      'payout_transfer',
      'repay_plan',
      'ledger_entry',
      'review',
      'review_log',
      'review_handover',
      'feedback',
      'feedback_step',
      'feedback_handover',
      'feedback_file',
      'stop_collection',
      'stop_file',
    ]) {
      const rows = await all<{ row: string }>(
        sql`
          select (to_jsonb(t) - 'phone_enc' - 'pan_enc' - 'address_enc' - 'email_enc' - 'account_enc')::text
            as row from ${sql.table(table)} t order by 1`,
        database,
      )
      for (const { row } of rows) hash.update(row)
    }
    const [account] = await all<{ password_hash: string; accounts: number }>(
      sql`
        select u.password_hash, count(*) over ()::int as accounts from sys_user u
          where u.account = 'reviewer6' or u.account = 'administrator'`,
      database,
    )
    expect(account?.accounts).toBe(2)
    expect(await passwordFits(account?.password_hash ?? null, 'Floor#2026')).toBe(true)
    return hash.digest('hex')
  } finally {
    await close()
  }
}

test('the same seed and instant give the same data, another seed different data, at any size', async () => {
  const first = await fingerprint(11)
  expect(await fingerprint(11)).toBe(first)
  expect(await fingerprint(12)).not.toBe(first)
})

test('there is an account for each role, and the numbered ones', () => {
  const accounts = demoAccounts().map(({ account }) => account)
  expect(new Set(accounts).size).toBe(accounts.length)
  expect(accounts).toEqual(
    expect.arrayContaining([
      'administrator',
      'director',
      'manager',
      'manager2',
      'reviewer',
      'reviewer6',
      'collector20',
      'customer_service3',
      'quality_inspector2',
      'team_leader3',
      'tele_loanfailed',
    ]),
  )
})
