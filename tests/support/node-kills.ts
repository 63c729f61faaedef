/**
 * Repeated kill -9 of the console while it runs a marketing node, with people who claim customers of
 * the same segment meanwhile, and a check that every customer was contacted once.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { addNode, listRuns, runNode } from '#shared/telemarketing/node-api.ts'
import { claimTask, releaseTask } from '#shared/telemarketing/tele-api.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { insertUncertified } from '#tests/factories/telemarketing.ts'
import { type ChaosDatabase, withDatabase } from './chaos-database.ts'
import { ConsoleProcesses } from './console-processes.ts'
import { freePort } from './stack.ts'
import { WebPerson } from './web-person.ts'

const segment = 'no_certified' as const
const PEOPLE = 5
const PAUSE_MS = 200
const PATIENCE_MS = 300_000

export interface NodeKills {
  /** Kills before the end of the run. */
  inTheMiddle: number
  claims: number
  /** Milliseconds of a claim at a running console. */
  p99: number
}

export async function surviveNodeKills(
  chaosDatabase: ChaosDatabase,
  { customers, kills }: { customers: number; kills: number },
): Promise<NodeKills> {
  const couponId = await withDatabase(chaosDatabase, (database) => furnish(database, customers))
  const processes = new ConsoleProcesses()
  // the same address after each start, as with a service manager
  const env = { ...chaosDatabase.env, PORT: String(await freePort()) }
  let inTheMiddle = 0
  try {
    let running = await processes.start(env)
    const manager = await WebPerson.signIn(running.url, 'manager')
    const crowd = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) => WebPerson.signIn(running.url, `racer${n + 1}`)),
    )
    const { nodeId } = await manager.call(addNode, {
      name: 'All',
      type: 'batchRun',
      segment,
      condition: {
        kind: 'all',
        of: [{ field: 'entryCount', operator: 'atLeast', value: 0 }],
      },
      dateDays: 0,
      timeHours: null,
      againDays: null,
      action: 'tasks',
      messageWay: null,
      couponId,
      holdout: 10,
      effective: true,
    })
    const { runId } = await manager.call(runNode, { nodeId })
    let isOver = false
    const claiming = Promise.all(crowd.map((person) => claimAll(person, () => isOver)))
    for (let n = 0; n < kills; n += 1) {
      const done = Math.floor((customers * n) / (kills + 1))
      if ((await untilDone(manager, nodeId, done)).state === 'running') inTheMiddle += 1
      await running.kill('SIGKILL')
      // PostgreSQL notices the end of its client a moment later
      await new Promise((resume) => setTimeout(resume, 50))
      // the job lease of the killed runner expires
      await withDatabase(chaosDatabase, ({ kysely }) =>
        sql`update job set held_until = clock_timestamp() where held_by is not null`.execute(
          kysely,
        ),
      )
      running = await processes.start(env)
    }
    await untilDone(manager, nodeId, customers)
    isOver = true
    const waits = (await claiming).flat().toSorted((a, b) => a - b)
    await running.kill('SIGTERM')
    await withDatabase(chaosDatabase, (database) => proveEnd(database, runId, couponId, customers))
    return {
      inTheMiddle,
      claims: waits.length,
      p99: Math.round(waits[Math.floor(waits.length * 0.99)] ?? 0),
    }
  } finally {
    await processes.end()
  }
}

async function furnish(database: Database, customers: number): Promise<string> {
  const { kysely } = database
  await insertUncertified(database, customers)
  await sql`
    insert into sys_user (account, nickname, user_name, password_hash, role_id)
    select 'racer' || n, 'Racer ' || n, 'Racer ' || n, u.password_hash, u.role_id
    from sys_user u cross join generate_series(1, ${PEOPLE}::int) n
    where u.account = 'tele_uncertified'`.execute(kysely)
  await sql`
    insert into tele_person (user_id, segments, capacity)
    select u.id, array[${segment}::text], 500 from sys_user u on conflict do nothing`.execute(
    kysely,
  )
  const { rows } = await sql<{ id: string }>`
    insert into coupon (name, type, amount_type, preferential_type, discount_amount, valid_days,
      creator_name)
    values ('Come back', 'reduction', 'fixed', 'interest', 1000, 30, 'Test') returning id`.execute(
    kysely,
  )
  await sql`analyze`.execute(kysely)
  return (rows[0] as { id: string }).id
}

/** Claims and gives back, again and again; a console that was killed is asked once more. */
async function claimAll(person: WebPerson, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = []
  while (!isOver()) {
    await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    const began = performance.now()
    const answer = await person.send(claimTask, { segment }).catch(() => null)
    if (answer?.code !== 200) continue
    waits.push(performance.now() - began)
    const { taskId, version, token } = answer.data
    await person.send(releaseTask, { taskId, version, token }).catch(() => null)
  }
  return waits
}

async function untilDone(manager: WebPerson, nodeId: string, done: number) {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await manager.send(listRuns, { nodeId }).catch(() => null)
    const run = answer?.code === 200 ? answer.data.rows[0] : undefined
    if (run && run.done >= done && (run.state !== 'running' || run.done < (run.taken ?? Infinity)))
      return run
    if (Date.now() > end) throw new Error(`the run has done ${run?.done} of ${done}`)
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

async function proveEnd(
  { kysely }: Database,
  runId: string,
  couponId: string,
  customers: number,
): Promise<void> {
  const { rows } = await sql<Record<string, number | string>>`
    select r.state, r.taken, count(*)::int as contacts, count(distinct m.customer_id)::int as once,
      count(*) filter (where m.outcome = 'assigned')::int - r.assigned as not_given,
      count(*) filter (where m.coupon = 'given')::int - r.coupons as not_counted,
      (select count(*)::int from coupon_grant g where g.coupon_id = ${couponId}) - r.coupons as grants,
      (select k.granted from coupon k where k.id = ${couponId}) - r.coupons as granted,
      (select count(*)::int from marketing_slice) as slices
    from marketing_run r join marketing_contact m on m.run_id = r.id where r.id = ${runId}
    group by r.id`.execute(kysely)
  // those claimed when the run looked were left out as busy
  const taken = Number(rows[0]?.taken)
  expect(taken).toBeGreaterThan(customers - 2 * PEOPLE)
  expect(rows[0]).toEqual({
    state: 'done',
    taken,
    contacts: taken,
    once: taken,
    not_given: 0,
    not_counted: 0,
    grants: 0,
    granted: 0,
    slices: 0,
  })
}
