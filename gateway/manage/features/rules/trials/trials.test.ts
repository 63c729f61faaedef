/** A draft on trial: beside the version in force, for a share of the applications, and on past ones. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listChanges } from '#shared/access/changes-api.ts'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval } from '#shared/approvals/approvals-api.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import {
  backtestDetail,
  listBacktestRows,
  listBacktests,
  startBacktest,
  stopBacktest,
} from '#shared/rules/backtest-api.ts'
import { reportChanges } from '#shared/reports/changes-api.ts'
import { orderDecision } from '#shared/rules/decision-api.ts'
import { addRule, deleteRule, listRules, setRuleStatus } from '#shared/rules/rule-api.ts'
import { listTrialRows, listTrials, startTrial, stopTrial } from '#shared/rules/trial-api.ts'
import { machineReview } from '#gateway/manage/features/review/machine/machine-review-job.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { bucketOf } from '../engine/choose-rules.ts'

let floor: Floor
let administrator: Person
let director: Person
let app: Machine

beforeAll(async () => {
  floor = await testManage()
  ;[administrator, director] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('director'),
  ])
  await makeProduct(floor)
  app = await machineOf(floor, ['application', 'machineReview'])
})
afterAll(() => floor.close())

const RISKY: InputOf<typeof addRule> = {
  name: 'A loan of more than 9,000',
  type: 'limit',
  groupId: 'ADMISSION',
  priority: 5,
  mode: 'parallel',
  expression: all('amount', 900_000),
  actionId: 'REJECT',
  refusalCode: 'BIG02',
}
function all(field: string, value: number): Condition {
  return { kind: 'all', of: [{ field, operator: 'moreThan', value }] }
}
async function draft(name: string, value = 900_000): Promise<string> {
  const fields = { ...RISKY, name, expression: all('amount', value) }
  return (await administrator.call(addRule, fields)).ruleId
}
const versionOf = async (ruleId: string) => {
  const { rows } = await director.call(listRules, { ruleId })
  return rows[0]?.version ?? 0
}
async function begin(ruleId: string, kind: 'shadow' | 'share', percent?: number) {
  const version = await versionOf(ruleId)
  const trial = { ruleId, version, versionNo: 1, kind, reason: 'agreed in the meeting' }
  return administrator.call(startTrial, { ...trial, ...(percent !== undefined && { percent }) })
}
const approve = (approvalId: string | null) =>
  director.call(decideApproval, { approvalId: approvalId ?? '', version: 1, result: 'approved' })
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Error) => / refused: \d+ (\S+) /.exec(error.message)?.[1] ?? error,
  )
let applied = 60
async function judged(amount: number): Promise<{ orderId: string; status: number }> {
  const { orderId } = await app.call(
    inboundApplication,
    makeApplication((applied += 1), { amount }),
  )
  await machineReview.run(floor.context)
  await floor.settle()
  const { rows } = await sql<{ status: number }>`
    select o.status from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  return { orderId, status: rows[0]?.status ?? 0 }
}
const trialOf = async (ruleId: string) => {
  const { rows } = await director.call(listTrials, { ruleId })
  const [newest] = rows
  if (!newest) throw new Error(`no trial of ${ruleId}`)
  return newest
}

test('a shadow decides nothing, and its differences are counted and listed', async () => {
  const ruleId = await draft('In the shadow')
  const { trialId } = await begin(ruleId, 'shadow')
  expect(await problemOf(begin(ruleId, 'shadow'))).toBe('X-TRIAL')
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const small = await judged(800_000)
  const big = await judged(1_000_000)
  expect([small.status, big.status]).toEqual([22, 22])
  expect(await trialOf(ruleId)).toMatchObject({
    trialId,
    kind: 'shadow',
    judged: 2,
    different: 1,
    cells: [
      { side: null, happened: 'people', would: 'fail', n: 1 },
      { side: null, happened: 'people', would: 'people', n: 1 },
    ],
  })
  const tried = (await floor.events(before)).filter(({ type }) => type === 'rule.tried')
  expect(tried).toHaveLength(1)
  const { rows } = await director.call(listTrialRows, { trialId: trialId ?? '', different: true })
  expect(rows.map(({ orderId, happened, would }) => [orderId, happened, would])).toEqual([
    [big.orderId, 'people', 'fail'],
  ])
  await administrator.call(stopTrial, { trialId: trialId ?? '', reason: 'seen enough' })
  await judged(1_000_000)
  expect(await trialOf(ruleId)).toMatchObject({ judged: 2, endBy: 'Administrator 1' })
})

test('a shadow that cannot be read leaves the judgement alone, and is not evaluated', async () => {
  const ruleId = await draft('Broken in the shadow')
  await begin(ruleId, 'shadow')
  await sql`
    update rule_version set content = '{"nodes": [], "edges": []}' where rule_id = ${ruleId}`.execute(
    floor.database.kysely,
  )
  expect((await judged(1_000_000)).status).toBe(22)
  const { rows } = await sql`
    select t.would, t.cause from rule_trial_row t join rule_trial x on x.id = t.trial_id
    where x.rule_id = ${ruleId}`.execute(floor.database.kysely)
  expect(rows).toEqual([{ would: null, cause: 'faulty' }])
  await sql`delete from rule where id = ${ruleId}`.execute(floor.database.kysely)
})

test('a share needs a second person, divides applications by id, and ends when a version is enabled', async () => {
  const ruleId = await draft('For half of them')
  expect(await problemOf(begin(ruleId, 'share'))).toBe('G-FIELD')
  const { trialId: none, approvalId } = await begin(ruleId, 'share', 50)
  expect(none).toBeNull()
  expect((await judged(1_000_000)).status).toBe(22)
  const { effect } = await director.call(approvalDetail, { approvalId: approvalId ?? '' })
  expect(effect?.changes).toContainEqual({
    name: 'ruleShare',
    kind: 'number',
    before: null,
    after: 50,
  })
  await approve(approvalId)
  const { trialId } = await trialOf(ruleId)
  const ids: string[] = []
  for (let n = 0; n < 8; n += 1) {
    const { orderId, status } = await judged(1_000_000)
    ids.push(orderId)
    expect(status).toBe(bucketOf(ruleId, orderId) < 5_000 ? 21 : 22)
  }
  const challenged = ids.filter((id) => bucketOf(ruleId, id) < 5_000)
  expect(challenged.length).toBeGreaterThan(0)
  const { rows } = await director.call(listTrialRows, { trialId, side: 'challenger' })
  expect(rows.map(({ orderId }) => orderId).toSorted()).toEqual(challenged.toSorted())
  expect(rows.every(({ versionNo, happened }) => versionNo === 1 && happened === 'fail')).toBe(true)
  const [one = ''] = challenged
  const { decision } = await director.call(orderDecision, { orderId: one })
  expect(decision?.sides).toEqual([
    { ruleId, name: 'For half of them', side: 'challenger', versionNo: 1, percent: 50 },
  ])
  const { rows: changes } = await director.call(listChanges, { what: ruleId })
  expect(changes[0]).toMatchObject({
    action: 'startTrial',
    name: 'For half of them',
    by: 'Administrator 1',
    approvedBy: 'Director 1',
  })
  const today = istDay(new Date())
  const marks = await director.call(reportChanges, { dateFrom: today, dateTo: today })
  expect(marks.rows.map(({ kind, what }) => [kind, what])).toContainEqual([
    'share',
    `${ruleId} · For half of them · 50 %`,
  ])
  const version = await versionOf(ruleId)
  expect(await problemOf(administrator.call(deleteRule, { ruleId, version }))).toBe('K-USED')

  const asked = await administrator.call(setRuleStatus, {
    ruleId,
    version,
    status: 'enabled',
    reason: 'the share did well',
  })
  await approve(asked.approvalId)
  expect(await trialOf(ruleId)).toMatchObject({ judged: 8, endBy: 'Director 1' })
  expect((await judged(1_000_000)).status).toBe(21)
  await administrator.call(setRuleStatus, {
    ruleId,
    version: await versionOf(ruleId),
    status: 'disabled',
    reason: 'the test is over',
  })
})

test('half of ten thousand applications is half of them, and a greater share keeps those it had', () => {
  const ids = Array.from({ length: 10_000 }, (_, n) => `O${n}`)
  const within = (percent: number) => ids.filter((id) => bucketOf('R1', id) < percent * 100)
  expect(Math.abs(within(50).length - 5_000)).toBeLessThan(200)
  const twenty = new Set(within(20))
  expect(within(10).every((id) => twenty.has(id))).toBe(true)
  const both = within(50).filter((id) => bucketOf('R2', id) < 5_000)
  expect(Math.abs(both.length - 2_500)).toBeLessThan(200)
})

/** Copies of the oldest application judged here, with what the machine knew of it. */
async function copies(prefix: string, count: number, facts: object | null): Promise<void> {
  const of = (table: string) =>
    sql`jsonb_populate_record(null::${sql.table(table)}, to_jsonb(x) || d.changed)`
  const db = floor.database.kysely
  const each = (changed: ReturnType<typeof sql>) =>
    sql`cross join lateral (select ${changed} as changed from generate_series(1, ${count}::int) n) d`
  const first = sql`
    (select o.id from loan_order o where o.status = 22 order by o.created_at, o.id limit 1)`
  await sql`
    insert into loan_order
    select (${of('loan_order')}).* from loan_order x ${each(sql`
      jsonb_build_object('id', ${prefix}::text || n, 'status', 70, 'created_at', clock_timestamp())`)}
    where x.id = ${first}`.execute(db)
  await sql`
    insert into review
    select (${of('review')}).* from review x ${each(sql`
      jsonb_build_object('id', 'R' || ${prefix}::text || n, 'order_id', ${prefix}::text || n)`)}
    where x.order_id = ${first}`.execute(db)
  await sql`
    insert into order_status_log (order_id, from_status, to_status, cause)
    select ${prefix}::text || n, 10, 20, 'machineReview'
    from generate_series(1, ${count}::int) n`.execute(db)
  if (facts !== null)
    await sql`
      insert into machine_facts (review_id, facts, versions)
      select 'R' || ${prefix}::text || n, f.facts || ${JSON.stringify(facts)}::jsonb, '{}'
      from generate_series(1, ${count}::int) n
      join review r on r.order_id = ${first} join machine_facts f on f.review_id = r.id`.execute(db)
}

test('a back-test judges past applications with what was known then, and says what it could not', async () => {
  const db = floor.database.kysely
  const ruleId = await draft('Over the past', 1_100_000)
  // faces that were compared: the rules in force pass them
  await copies('PASS', 300, { faceScore: 92, amount: 1_000_000, limit: 2_000_000 })
  await copies('TURN', 3, { faceScore: 92, amount: 1_200_000, limit: 2_000_000 })
  await copies('BARE', 2, null)
  // what happens to a customer later must not change what is said of the past
  await sql`update customer set monthly_income = 1, birthday = current_date`.execute(db)
  const { backtestId } = await administrator.call(startBacktest, { ruleId, versionNo: 1, days: 30 })
  expect(await problemOf(director.call(startBacktest, { ruleId, versionNo: 1, days: 30 }))).toBe(
    'G403',
  )
  await floor.settle()
  const { backtest, cells, channels, products, unjudged } = await director.call(backtestDetail, {
    backtestId,
  })
  const { rows: known } = await sql<{ n: number }>`
    select count(*)::int as n from loan_order o where o.id not like 'BARE%'`.execute(db)
  expect(backtest).toMatchObject({
    state: 'done',
    progress: 100,
    applications: (known[0]?.n ?? 0) + 2,
    startBy: 'Administrator 1',
  })
  expect(unjudged).toEqual([{ cause: 'noFacts', n: 2 }])
  expect(
    cells.find(({ happened, would }) => happened === 'pass' && would === 'fail'),
  ).toMatchObject({ n: 3, byOthers: 0 })
  expect(
    cells.find(({ happened, would }) => happened === 'pass' && would === 'pass'),
  ).toMatchObject({ n: 300 })
  for (const groups of [channels, products])
    expect(groups.reduce((sum, { n }) => sum + n, 0)).toBe(known[0]?.n)
  const turned = { backtestId, happened: 'pass', would: 'fail' } as const
  const { rows, total } = await director.call(listBacktestRows, turned)
  expect(total).toBe(3)
  expect(rows.map(({ orderId, live }) => [orderId, live])).toEqual([
    ['TURN3', 'pass'],
    ['TURN2', 'pass'],
    ['TURN1', 'pass'],
  ])
})

test('a back-test that was cut off continues, counts nothing twice, and can be stopped', async () => {
  const db = floor.database.kysely
  const ruleId = await draft('Cut off')
  const { backtestId } = await administrator.call(startBacktest, { ruleId, versionNo: 1, days: 30 })
  // the process dies in the second part, before it is committed
  await sql`
    create function power_cut() returns trigger language plpgsql as $$
    begin raise exception using errcode = '57P01'; end $$`.execute(db)
  await sql`
    create trigger power_cut before update on job_row for each row when (new.n = 2)
    execute function power_cut()`.execute(db)
  await floor.settle().catch(() => undefined)
  const { rows: half } = await sql<{ n: number }>`
    select count(*)::int as n from rule_backtest_row w where w.backtest_id = ${backtestId}`.execute(
    db,
  )
  expect(half[0]?.n).toBe(250)
  expect((await director.call(listBacktests, { ruleId })).rows[0]).toMatchObject({
    state: 'running',
    progress: 50,
  })
  await sql`drop trigger power_cut on job_row`.execute(db)
  await sql`update job set held_until = clock_timestamp() where state = 'running'`.execute(db)
  await floor.settle()
  const { backtest, cells, unjudged } = await director.call(backtestDetail, { backtestId })
  expect(backtest.state).toBe('done')
  expect([...cells, ...unjudged].reduce((sum, { n }) => sum + n, 0)).toBe(backtest.applications)

  const next = await administrator.call(startBacktest, { ruleId, versionNo: 1, days: 30 })
  await administrator.call(stopBacktest, { backtestId: next.backtestId })
  await floor.settle()
  expect((await director.call(listBacktests, { ruleId })).rows.map(({ state }) => state)).toEqual([
    'cancelled',
    'done',
  ])
  const events = await sql`
    select distinct l.action from operate_log l where l.action in ('startBacktest', 'stopBacktest')
    order by 1`.execute(db)
  expect(events.rows).toHaveLength(2)
})
