/** A node over many customers, with its process stopped again and again; and telemarketers racing. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addNode, listRuns, runNode } from '#shared/telemarketing/node-api.ts'
import { claimTask, followTask } from '#shared/telemarketing/tele-api.ts'
import { nodeJob } from '#gateway/manage/features/telemarketing/nodes/node-job.ts'
import { jobRunnerOf } from '#gateway/manage/jobs/runner.ts'
import { engine, makeChaosDatabase } from '#tests/support/chaos-database.ts'
import { surviveNodeKills } from '#tests/support/node-kills.ts'
import { makeManyUncertified, teleFloor } from '#tests/factories/telemarketing.ts'

const segment = 'no_certified' as const
const CUSTOMERS = Number(process.env.NODE_CUSTOMERS ?? 100_000)
const STOPS = 12
const PEOPLE = 50
const TASKS = 1_000

test('a node of many customers contacts each once, though its runner is stopped twelve times', async () => {
  const floor = await teleFloor()
  try {
    const { kysely } = floor.database
    const manager = await floor.signIn('manager')
    await makeManyUncertified(floor, CUSTOMERS)
    await sql`analyze`.execute(kysely)
    await sql`
      insert into tele_person (user_id, segments, capacity)
      select u.id, array[${segment}::text], 500 from sys_user u limit 60`.execute(kysely)
    const { nodeId } = await manager.call(addNode, {
      name: 'All',
      type: 'batchRun',
      segment,
      condition: {
        kind: 'any',
        of: [
          { field: 'entryCount', operator: 'atLeast', value: 0 },
          { field: 'city', operator: 'startsWith', value: 'P' },
        ],
      },
      dateDays: 0,
      timeHours: null,
      againDays: null,
      action: 'both',
      messageWay: 'sms',
      couponId: null,
      holdout: 10,
      effective: true,
    })
    const { runId } = await manager.call(runNode, { nodeId }, { 'idempotency-key': randomUUID() })
    const began = performance.now()
    for (let n = 0; n < STOPS; n += 1) {
      const runner = jobRunnerOf(floor.context, [nodeJob])
      const done = runner.settle().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 250 + 50 * n))
      await runner.stop()
      await done
    }
    await floor.settle()
    const seconds = (performance.now() - began) / 1_000
    const { rows } = await manager.call(listRuns, { nodeId })
    const run = rows.find((row) => row.runId === runId)
    expect(run).toMatchObject({ state: 'done', matched: CUSTOMERS, done: CUSTOMERS })
    const { rows: checks } = await sql<{
      contacts: number
      customers: number
      given: number
      due: number
    }>`
      select count(*)::int as contacts, count(distinct m.customer_id)::int as customers,
        (select count(*)::int from tele_given) as given,
        count(*) filter (where m.message_state = 'due')::int as due
      from marketing_contact m`.execute(kysely)
    expect(checks[0]).toEqual({
      contacts: CUSTOMERS,
      customers: CUSTOMERS,
      given: run?.assigned,
      due: CUSTOMERS - (run?.heldOut ?? 0),
    })
    console.info(`${CUSTOMERS} customers, stopped ${STOPS} times: ${seconds.toFixed(1)} s`)
  } finally {
    await floor.close()
  }
})

test('twelve kills of the console during a run contact each customer once, while claims go on', async () => {
  const chaosDatabase = await makeChaosDatabase()
  try {
    const { inTheMiddle, claims, p99 } = await surviveNodeKills(chaosDatabase, {
      customers: CUSTOMERS,
      kills: STOPS,
    })
    console.info(
      `${engine}: ${inTheMiddle} kills before the end; ${claims} claims meanwhile, p99 ${p99} ms`,
    )
    expect(inTheMiddle).toBeGreaterThanOrEqual(STOPS - 2)
  } finally {
    await chaosDatabase.drop()
  }
})

test('fifty telemarketers empty a thousand tasks: none is followed up twice', async () => {
  const floor = await teleFloor()
  try {
    const { kysely } = floor.database
    await makeManyUncertified(floor, TASKS)
    await sql`
      insert into sys_user (account, nickname, user_name, password_hash, role_id)
      select 'racer' || n, 'Racer ' || n, 'Racer ' || n, u.password_hash, u.role_id
      from sys_user u cross join generate_series(1, ${PEOPLE}::int) n
      where u.account = 'tele_uncertified'`.execute(kysely)
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => floor.signIn(`racer${n + 1}`)),
    )
    const waits: number[] = []
    const followed: string[] = []
    let stale = 0
    await Promise.all(
      people.map(async (person) => {
        for (;;) {
          const at = performance.now()
          const answer = (await person.send(claimTask, { segment })).json<{
            data: { taskId: string; version: number; token: number } | null
          }>()
          waits.push(performance.now() - at)
          if (answer.data === null || answer.data.taskId === undefined) return
          const { taskId, version, token } = answer.data
          const contact = { result: 28, contactWay: 'phone' as const }
          const late = await person.refused(followTask, {
            taskId,
            version,
            token: token - 1,
            ...contact,
          })
          if (late.problem?.id === 'M-LEASE' || late.problem?.id === 'M-OWN') stale += 1
          await person.call(followTask, { taskId, version, token, ...contact })
          followed.push(taskId)
        }
      }),
    )
    expect(followed).toHaveLength(TASKS)
    expect(new Set(followed).size).toBe(TASKS)
    expect(stale).toBe(TASKS)
    waits.sort((a, b) => a - b)
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0
    console.info(`${waits.length} claims by ${PEOPLE} people: p99 ${p99.toFixed(0)} ms`)
  } finally {
    await floor.close()
  }
})
