/**
 * A back-test of a hundred thousand applications, and the judgement of one: processor seconds, because
 * a busy machine says nothing by its clock. `BACKTEST_APPLICATIONS` says how many.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { backtestDetail, startBacktest } from '#shared/rules/backtest-api.ts'
import { addRule } from '#shared/rules/rule-api.ts'
import { machineReview } from '#gateway/manage/features/review/machine/machine-review-job.ts'
import { currentRuleSet } from '#gateway/manage/features/rules/public.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'

const APPLICATIONS = Number(process.env.BACKTEST_APPLICATIONS ?? 100_000)
const MOST_SECONDS = 60
const MOST_MS_OF_ONE = 5
const JUDGED = 2_000

test(`${APPLICATIONS} applications are judged again within ${MOST_SECONDS} s of processor time`, async () => {
  const floor = await testManage()
  try {
    const administrator = await floor.signIn('administrator')
    await makeProduct(floor)
    const app = await machineOf(floor, ['application', 'machineReview'])
    await app.call(inboundApplication, makeApplication(1))
    await machineReview.run(floor.context)
    await floor.settle()
    await copyApplication(floor, APPLICATIONS)
    const { ruleId } = await administrator.call(addRule, {
      name: 'Over the past',
      type: 'limit',
      groupId: 'LIMIT',
      priority: 900,
      mode: 'parallel',
      expression: { kind: 'all', of: [{ field: 'amount', operator: 'moreThan', value: 100 }] },
      actionId: 'REJECT',
      refusalCode: 'BIG03',
    })
    const began = process.cpuUsage()
    const asked = { ruleId, versionNo: 1, days: 30 }
    const { backtestId } = await administrator.call(startBacktest, asked)
    await floor.settle()
    const seconds = secondsSince(began)
    const { backtest } = await administrator.call(backtestDetail, { backtestId })
    expect(backtest).toMatchObject({ state: 'done', applications: APPLICATIONS + 1 })

    const one = await factsOf(floor)
    const ruleSet = await currentRuleSet(floor.database.kysely)
    await ruleSet.judge(one, null)
    const judging = process.cpuUsage()
    for (let n = 0; n < JUDGED; n += 1) await ruleSet.judge(one, `L${n}`)
    const ms = (secondsSince(judging) * 1_000) / JUDGED
    console.info(
      `back-test: ${seconds.toFixed(1)} s, ${((seconds * 1e6) / APPLICATIONS).toFixed(0)} µs each; ` +
        `judging one: ${ms.toFixed(2)} ms`,
    )
    expect(seconds).toBeLessThan(MOST_SECONDS)
    expect(ms).toBeLessThan(MOST_MS_OF_ONE)
  } finally {
    await floor.close()
  }
})

function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

async function factsOf({ database }: Floor): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ facts: Record<string, unknown> }>`
    select f.facts from machine_facts f limit 1`.execute(database.kysely)
  return rows[0]?.facts ?? {}
}

/** With what the machine knew of it. */
async function copyApplication({ database }: Floor, count: number): Promise<void> {
  const db = database.kysely
  const of = (table: string) =>
    sql`jsonb_populate_record(null::${sql.table(table)}, to_jsonb(x) || d.changed)`
  const each = (changed: ReturnType<typeof sql>) =>
    sql`cross join lateral (select ${changed} as changed from generate_series(1, ${count}::int) n) d`
  const first = sql`(select r.order_id from review r order by r.created_at, r.id limit 1)`
  await sql`
    insert into loan_order select (${of('loan_order')}).* from loan_order x ${each(sql`
      jsonb_build_object('id', 'PAST' || n, 'status', 70, 'created_at',
        clock_timestamp() - make_interval(secs => n))`)}
    where x.id = ${first}`.execute(db)
  await sql`
    insert into review select (${of('review')}).* from review x ${each(sql`
      jsonb_build_object('id', 'RPAST' || n, 'order_id', 'PAST' || n)`)}
    where x.order_id = ${first}`.execute(db)
  await sql`
    insert into order_status_log (order_id, from_status, to_status, cause)
    select 'PAST' || n, 10, 20, 'machineReview' from generate_series(1, ${count}::int) n`.execute(
    db,
  )
  await sql`
    insert into machine_facts (review_id, facts, versions)
    select 'RPAST' || n, f.facts, '{}' from generate_series(1, ${count}::int) n
    join review r on r.order_id = ${first} join machine_facts f on f.review_id = r.id`.execute(db)
  await sql`analyze loan_order, review, order_status_log, machine_facts`.execute(db)
}
