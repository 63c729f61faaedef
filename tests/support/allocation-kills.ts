/**
 * Repeated kill -9 of the console while it allocates a pool, and a check that every case was
 * allocated once.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import { autoAllocate, listRuns, type RunRow } from '#shared/collection/allocation-api.ts'
import type { Static } from 'typebox'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { makeManyCases, makeTemplateOrder } from '#tests/factories/many-cases.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { ConsoleProcesses, type StartedConsole } from './console-processes.ts'
import { type ChaosDatabase, withDatabase } from './chaos-database.ts'
import { freePort } from './stack.ts'
import { WebPerson } from './web-person.ts'

const WEIGHTS = [50, 30, 20]
const STAGES = ['M1', 'M2']
/** Invariants that orders without plans cannot satisfy are left out. */
const ASKED = /collector|case is held|promise is open|published events|operate log/
const PATIENCE_MS = 240_000

export interface AllocationKills {
  /** Kills before the end of the run. */
  inTheMiddle: number
  /** Kills while the plan was being written. */
  whilePlanning: number
  seconds: number
}

/**
 * @param kills spread over the run: the first while it is planned, the others each after more of it
 * is done
 */
export async function surviveAllocationKills(
  chaosDatabase: ChaosDatabase,
  { cases, kills }: { cases: number; kills: number },
): Promise<AllocationKills> {
  await furnish(chaosDatabase, cases)
  const processes = new ConsoleProcesses()
  // The same address after each start, as with a service manager.
  const env = { ...chaosDatabase.env, PORT: String(await freePort()) }
  const result: AllocationKills = { inTheMiddle: 0, whilePlanning: 0, seconds: 0 }
  try {
    let running = await processes.start(env)
    const leader = await WebPerson.signIn(running.url, 'administrator')
    const began = performance.now()
    const { runId } = await leader.call(autoAllocate, { stageIds: STAGES, scope: 'unallocated' })
    for (let n = 0; n < kills; n += 1) {
      const run =
        n === 0
          ? await runOf(leader, runId)
          : await untilDone(leader, runId, Math.floor((cases * n) / (kills + 1)))
      await kill(running)
      if (run.state === 'running') result.inTheMiddle += 1
      if (run.state === 'running' && run.total === 0) result.whilePlanning += 1
      await chaosDatabase.look((database) => halfWay(database, runId, `after kill ${n + 1}`))
      await withDatabase(chaosDatabase, letGo)
      running = await processes.start(env)
    }
    await untilDone(leader, runId, cases)
    result.seconds = Math.round((performance.now() - began) / 1_000)
    await running.kill('SIGTERM')
    await chaosDatabase.look((database) => proveEnd(database, runId, cases))
    return result
  } finally {
    await processes.end()
  }
}

async function kill(running: StartedConsole): Promise<void> {
  await running.kill('SIGKILL')
  // PostgreSQL notices the end of its client a moment later.
  await new Promise((resume) => setTimeout(resume, 50))
}

async function furnish(chaosDatabase: ChaosDatabase, cases: number): Promise<void> {
  await withDatabase(chaosDatabase, async (database) => {
    await makeTemplateOrder(database)
    await sql`update stage set capacity = 100000`.execute(database.kysely)
    // A leader allocates, not the schedule.
    await sql`update sys_config set value = '' where code = 'collection.allocationTimes'`.execute(
      database.kysely,
    )
    const perPerson = 500
    for (const weight of WEIGHTS) {
      const unit = await makeUnit({ database }, { weight })
      const people = Math.ceil((cases * weight) / 100 / perPerson) + 1
      for (let n = 0; n < people; n += 1)
        await makeCollector({ database }, unit, { capacity: perPerson })
    }
    await makeManyCases({ database }, { count: cases, stageIds: STAGES })
  })
}

/** The job lease of the killed runner expires. */
async function letGo(database: Database): Promise<void> {
  await sql`
    update job set held_until = clock_timestamp() where state = 'running' and held_by is not null`.execute(
    database.kysely,
  )
}

async function runOf(leader: WebPerson, runId: string): Promise<Static<typeof RunRow>> {
  return (await leader.call(listRuns, {})).rows.find((row) => row.runId === runId) as Static<
    typeof RunRow
  >
}

async function untilDone(
  leader: WebPerson,
  runId: string,
  done: number,
): Promise<Static<typeof RunRow>> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const run = await runOf(leader, runId)
    if (run.done >= done && (run.state !== 'running' || run.done < run.total)) return run
    if (Date.now() > end)
      throw new Error(
        `run ${runId} is ${run.state} with ${run.done} of ${run.total} done; ${done} were waited for`,
      )
    await new Promise((resume) => setTimeout(resume, 20))
  }
}

/** At any moment the lines of the run and the cases agree. */
async function halfWay(database: Database, runId: string, when: string): Promise<void> {
  const { rows } = await sql<{ lines: number; wrong: number; counted: number }>`
    select count(*)::int as lines, (select r.done from allocation_run r where r.id = ${runId}) as counted,
      count(*) filter (where (i.outcome = 'allocated') <> (c.state = 'allocated') or c.token <> case
        when i.outcome = 'allocated' then 1 else 0 end
        or (i.outcome = 'allocated' and c.collector_id is distinct from i.collector_id))::int as wrong
    from allocation_item i join collection_case c on c.id = i.case_id where i.run_id = ${runId}`.execute(
    database.kysely,
  )
  expect(rows[0]?.wrong, when).toBe(0)
  const { rows: given } = await sql<{
    n: number
  }>`select count(*)::int as n from allocation_item i where i.run_id = ${runId} and i.outcome = 'allocated'`.execute(
    database.kysely,
  )
  expect(given[0]?.n, when).toBe(rows[0]?.counted)
  expect(
    (await brokenInvariants(database)).filter(({ name }) => ASKED.test(name)),
    when,
  ).toEqual([])
}

/**
 * Every case is allocated once, each agency is within one case of its weight in every stage, and
 * all counts and events agree.
 */
async function proveEnd(database: Database, runId: string, cases: number): Promise<void> {
  const db = database.kysely
  await halfWay(database, runId, 'at the end')
  const { rows: totals } = await sql`
    select r.state, r.total, r.done, r.failed, (select count(*)::int from collection_case c
      where c.state = 'allocated' and c.token = 1) as given, (select count(*)::int from case_allocation m
      where m.run_id = r.id and m.cause = 'auto') as logged,
      (select count(distinct m.case_id)::int from case_allocation m
        where m.run_id = r.id) as once, (select sum(k.open_cases)::int
        from collector k) as counted, (select count(*)::int from stage s
        where s.allocation_state = 'allocating') as held
    from allocation_run r where r.id = ${runId}`.execute(db)
  expect(totals[0]).toEqual({
    state: 'done',
    total: cases,
    done: cases,
    failed: 0,
    given: cases,
    logged: cases,
    once: cases,
    counted: cases,
    held: 0,
  })
  const { rows: shares } = await sql<{
    stage_id: string
    weight: number
    n: number
    all_of: number
  }>`
    select c.stage_id, a.weight, count(c.id)::int as n,
      sum(count(c.id)) over (partition by c.stage_id)::int as all_of from collection_case c
      join agency a on a.id = c.agency_id group by c.stage_id, a.id, a.weight`.execute(db)
  expect(shares.length).toBe(STAGES.length * WEIGHTS.length)
  for (const { stage_id: stage, weight, n, all_of: all } of shares)
    expect(
      Math.abs(n - (all * weight) / 100),
      `${stage} at ${weight} per cent`,
    ).toBeLessThanOrEqual(1)
  // Leaders receive chunks, each collector their own cases; each once.
  const { rows: notified } = await sql<{ to_people: number; to_leaders: number; events: number }>`
    select coalesce(sum((e.data ->> 'count')::int) filter (where e.data ->> 'to' is not null),
      0)::int as to_people, coalesce(sum((e.data ->> 'count')::int) filter (where e.data ->> 'to' is null),
      0)::int as to_leaders,
      (count(*) filter (where e.data ->> 'to' is null))::int as events
    from outbox_event e where e.type = 'cases.allocated'`.execute(db)
  expect(notified[0]).toMatchObject({ to_people: cases, to_leaders: cases })
  expect(notified[0]?.events).toBeLessThanOrEqual(Math.ceil(cases / 500) + WEIGHTS.length)
}
