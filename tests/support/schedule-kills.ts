/**
 * kill -9 in turn of three cores of one book while their schedules run. The database itself writes
 * down what was claimed and ended, so that no core is believed.
 */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '#gateway/manage/db/client.ts'
import { type ChaosDatabase, INTERNAL_SECRET } from './chaos-database.ts'
import { ConsoleProcesses, type StartedConsole } from './console-processes.ts'
import { freePort } from './stack.ts'

const CORES = 3
/** A class must not begin later than this after its time, whichever process is killed. */
const MOST_LATE_SECONDS = 60
/** On a busy machine a core takes long to start; with so many, one is met in the middle of a run. */
const LEAST_KILLS = 8

export interface ScheduleKills {
  kills: number
  /** Runs that fell due, and those whose process was killed meanwhile. */
  runs: number
  interrupted: number
  latestSeconds: number
}

/** On PostgreSQL: several cores need a server. */
export async function surviveScheduleKills(
  chaosDatabase: ChaosDatabase,
  { seconds, everySeconds }: { seconds: number; everySeconds: number },
): Promise<ScheduleKills> {
  const processes = new ConsoleProcesses()
  try {
    const envs = await Promise.all(Array.from({ length: CORES }, () => envOf(chaosDatabase)))
    const cores: StartedConsole[] = []
    for (const env of envs) cores.push(await processes.start(env))
    await chaosDatabase.look(watchTasks)
    const end = Date.now() + seconds * 1_000
    let kills = 0
    while (Date.now() < end || kills < LEAST_KILLS) {
      await pause(everySeconds)
      const at = kills % CORES
      await cores[at]?.kill('SIGKILL')
      kills += 1
      cores[at] = await processes.start(envs[at] as Record<string, string>)
    }
    // what a killed core held is taken over after its lease of 30 s
    await pause(40)
    return await chaosDatabase.look(async (database) => ({ kills, ...(await prove(database)) }))
  } finally {
    await processes.end()
  }
}

/** The same addresses after each start, as with a service manager. */
async function envOf({ env }: ChaosDatabase): Promise<Record<string, string>> {
  const [port, internal] = [await freePort(), await freePort()]
  return {
    ...env,
    ROLE: 'manage',
    INTERNAL_SECRET,
    PORT: String(port),
    INTERNAL_PORT: String(internal),
  }
}

const pause = (seconds: number) => new Promise((resume) => setTimeout(resume, seconds * 1_000))

/** Every class runs every two seconds. */
async function watchTasks({ kysely: db }: Database): Promise<void> {
  await sql`
    create table task_seen (id bigint generated always as identity, at timestamptz not null default
      clock_timestamp(), class text not null, what text not null, due_at timestamptz)`.execute(db)
  await sql`
    create function see_task() returns trigger language plpgsql as $$
    begin
      if new.claimed_at is distinct from old.claimed_at then
        insert into task_seen (class, what, due_at) values (new.class,
          case when old.held_by is null then 'claimed' else 'taken over' end, old.next_run_at);
      elsif old.held_by is not null and new.held_by is null then
        insert into task_seen (class, what) values (new.class, 'ended');
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger see_task after update on scheduled_task for each row
    execute function see_task()`.execute(db)
  // two classes take so long that a kill meets them in the middle
  await sql`
    create function take_long() returns trigger language plpgsql as $$
    begin perform pg_sleep(3); return null; end $$`.execute(db)
  for (const table of ['file_object', 'login_failure'])
    await sql`
      create trigger take_long before delete on ${sql.table(table)} for each statement
      execute function take_long()`.execute(db)
  await sql`update scheduled_task set cycle = 'every:2', next_run_at = clock_timestamp()`.execute(
    db,
  )
}

/** Of each class: claimed, perhaps taken over, ended once, and only then claimed again. */
async function prove({ kysely: db }: Database): Promise<Omit<ScheduleKills, 'kills'>> {
  const { rows } = await sql<{ class: string; what: string; late: number | null }>`
    select s.class, s.what, extract(epoch from s.at - s.due_at)::float8 as late
    from task_seen s order by s.class, s.id`.execute(db)
  const classes = new Map<string, typeof rows>()
  for (const row of rows) classes.set(row.class, [...(classes.get(row.class) ?? []), row])
  const wrong: string[] = []
  for (const [name, seen] of classes) {
    let isOut = false
    for (const [n, { what }] of seen.entries()) {
      // one that was running while the watch began has no claim in it
      if (n === 0 && what !== 'claimed') continue
      if (isOut === (what === 'claimed')) wrong.push(`${name}: ${what} at ${n}`)
      isOut = what !== 'ended'
    }
  }
  expect(wrong).toEqual([])
  const late = rows.flatMap((row) => (row.what === 'claimed' ? [row.late ?? 0] : []))
  expect(Math.max(...late)).toBeLessThan(MOST_LATE_SECONDS)
  const { rows: silent } = await sql<{ class: string }>`
    select t.class from scheduled_task t where t.status = 'enabled'
      and t.next_run_at < clock_timestamp() - make_interval(secs => ${MOST_LATE_SECONDS})
    union
    select t.class from scheduled_task t where t.held_until < clock_timestamp() - interval '10 seconds'
    union
    select t.class from scheduled_task t where t.status = 'enabled'
      and not exists (select from task_seen s where s.class = t.class)`.execute(db)
  expect(silent).toEqual([])
  return {
    runs: late.length,
    interrupted: rows.filter(({ what }) => what === 'taken over').length,
    latestSeconds: Math.round(Math.max(...late)),
  }
}
