/**
 * A back-test of a hundred thousand applications, and the judgement of one: processor seconds, because
 * a busy machine says nothing by its clock. `BACKTEST_APPLICATIONS` says how many.
 */
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { backtestDetail, startBacktest } from '#shared/rules/backtest-api.ts'
import { addRule } from '#shared/rules/rule-api.ts'
import { machineReview } from '#gateway/manage/features/review/machine/machine-review-job.ts'
import { currentRuleSet } from '#gateway/manage/features/rules/public.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

const APPLICATIONS = Number(process.env.BACKTEST_APPLICATIONS ?? 100_000)
const MOST_SECONDS = 60
const MOST_MS_OF_ONE = 5
const JUDGED = 2_000
/** On a clock: a list that is asked for meanwhile, on a machine that may be busy with other things. */
const MOST_WAIT_MS = 5_000
const READ_MS = 1_000

test(`${APPLICATIONS} applications are judged again within ${MOST_SECONDS} s of processor time`, async () => {
  const floor = await testManage()
  try {
    await makeProduct(floor)
    const app = await machineOf(floor, ['application', 'machineReview'])
    await app.call(inboundApplication, makeApplication(1))
    await machineReview.run(floor.context)
    await floor.settle()
    await copyApplication(floor, APPLICATIONS)
    // the copying may outlast a session
    const administrator = await floor.signIn('administrator')
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
    const asking = askMeanwhile(administrator)
    await floor.settle()
    const waits = await asking.end()
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
        `judging one: ${ms.toFixed(2)} ms; ${waits.length} lists read meanwhile, ` +
        `half of them within ${waits[waits.length >> 1]} ms, the slowest in ${waits.at(-1)} ms`,
    )
    expect(seconds).toBeLessThan(MOST_SECONDS)
    expect(ms).toBeLessThan(MOST_MS_OF_ONE)
    expect(waits.length).toBeGreaterThan(20)
    expect(waits.at(-1)).toBeLessThan(MOST_WAIT_MS)
  } finally {
    await floor.close()
  }
})

/** One list after the other, as somebody at work reads them. @returns milliseconds, the shortest first */
function askMeanwhile(person: Person): { end(): Promise<number[]> } {
  const waits: number[] = []
  let isOver = false
  const all = (async () => {
    while (!isOver) {
      const asked = performance.now()
      await person.call(listOrders, { pageSize: 20 })
      waits.push(Math.round(performance.now() - asked))
      await new Promise((resume) => setTimeout(resume, READ_MS))
    }
  })()
  return {
    async end() {
      isOver = true
      await all
      return waits.toSorted((a, b) => a - b)
    },
  }
}

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
  // copies count in no report, and none of them breaks a reference
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await copyInto(trx, count)
  })
  await sql`analyze loan_order, review, order_status_log, machine_facts`.execute(db)
}

async function copyInto(db: Kysely<unknown>, count: number): Promise<void> {
  const each = (table: string, changed: ReturnType<typeof sql>) => sql`
    from ${sql.table(table)} x cross join generate_series(1, ${count}::int) n
    cross join lateral jsonb_populate_record(null::${sql.table(table)}, to_jsonb(x) || ${changed}) c`
  const first = sql`(select r.order_id from review r order by r.created_at, r.id limit 1)`
  await sql`
    insert into loan_order select c.* ${each(
      'loan_order',
      sql`jsonb_build_object('id', 'PAST' || n, 'status', 70, 'created_at',
        clock_timestamp() - make_interval(secs => n))`,
    )}
    where x.id = ${first}`.execute(db)
  await sql`
    insert into review select c.* ${each(
      'review',
      sql`jsonb_build_object('id', 'RPAST' || n, 'order_id', 'PAST' || n)`,
    )}
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
}
