/**
 * Runs scheduled classes. Every process may have a scheduler: a due task is claimed in the
 * database, so one of them runs it, and another when that one is killed. A class never runs twice
 * at once in a process; waking one that runs makes it run once more.
 */
import { randomUUID } from 'node:crypto'
import type { RunCounts } from '#shared/scheduling/scheduling-sets.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { periodSeconds } from './cycle.ts'
import type { ScheduledClass } from './scheduled-class.ts'
import {
  addTasks,
  type Claim,
  claimDue,
  isEnabled,
  recordRun,
  renewHolds,
  type Run,
} from './task-store.ts'

const TICK_MS = 1_000
/** A third of the time after which another process takes a run over. */
const RENEW_MS = 10_000
/** Classes that run more often leave no row when they succeed. */
const KEPT_FROM_SECONDS = 60

export interface Scheduler {
  start(): Promise<void>
  /** Begins what is due; the timer does it each second. */
  look(): Promise<void>
  /** The classes it knows. */
  readonly classes: readonly string[]
  /** Runs the class as soon as it can; before `start` it waits for `settle`. */
  wake(name: string): void
  /**
   * Runs every class that was woken until none is left.
   * @throws the error of a class that failed
   */
  settle(): Promise<void>
  /** Waits for what runs; nothing new begins. */
  stop(): Promise<void>
}

export function schedulerOf(context: AppContext, classes: readonly ScheduledClass[]): Scheduler {
  const byName = new Map(classes.map((c) => [c.name, c]))
  if (byName.size !== classes.length)
    throw new TypeError('two scheduled classes have the same name')
  const names = [...byName.keys()]
  const holder = randomUUID()
  const claims = new Map<string, Claim>()
  const woken = new Set<string>()
  const running = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  let timer: NodeJS.Timeout | null = null
  let ticking: Promise<void> | null = null
  let isStopped = false
  let renewedAt = performance.now()

  function begin(name: string): void {
    const taskClass = byName.get(name)
    if (!taskClass || isStopped) return
    woken.add(name)
    if (running.has(name)) return
    const run = runWoken(taskClass).finally(() => {
      running.delete(name)
      // woken again between its last look and here
      if (woken.has(name)) begin(name)
    })
    running.set(name, run)
  }
  async function runWoken(taskClass: ScheduledClass): Promise<void> {
    while (woken.delete(taskClass.name) && !isStopped) {
      const claim = claims.get(taskClass.name)
      claims.delete(taskClass.name)
      const error = await runOnce(
        context,
        taskClass,
        claim === undefined ? null : { holder, askedBy: claim.askedBy },
      )
      if (error !== null) failures.push(error)
    }
  }
  async function look(): Promise<void> {
    const { due, broken } = await claimDue(context.database, names, holder)
    for (const name of broken)
      context.log.error({ taskClass: name }, 'the cycle of a scheduled task cannot be read')
    for (const claim of due) {
      claims.set(claim.class, claim)
      begin(claim.class)
    }
  }
  async function tick(): Promise<void> {
    if (running.size > 0 && performance.now() - renewedAt >= RENEW_MS) {
      renewedAt = performance.now()
      await renewHolds(context.database.kysely, [...running.keys()], holder)
    }
    await look()
  }
  function onTimer(): void {
    ticking ??= tick()
      .catch((error: unknown) => {
        if (!isStopped)
          context.log.error(
            { err: error },
            'the scheduler could not read its tasks; it tries again',
          )
      })
      .finally(() => {
        ticking = null
        // errors are in the log already; they are kept for `settle` only while a test waits
        failures.length = 0
      })
  }
  return {
    async start() {
      await addTasks(context.database, classes)
      timer = setInterval(onTimer, TICK_MS)
      for (const name of woken) begin(name)
      onTimer()
    },
    look,
    classes: names,
    wake(name) {
      if (timer === null) woken.add(name)
      else begin(name)
    },
    async settle() {
      await ticking
      while (!isStopped && (woken.size > 0 || running.size > 0)) {
        for (const name of woken) {
          if (byName.has(name)) begin(name)
          else woken.delete(name)
        }
        await Promise.all(running.values())
      }
      const [failure] = failures.splice(0)
      if (failure !== undefined) throw failure
    },
    async stop() {
      isStopped = true
      if (timer) clearInterval(timer)
      await ticking
      await Promise.all(running.values())
    },
  }
}

/**
 * @param claim null: the class was woken
 * @returns what went wrong, or null
 */
async function runOnce(
  context: AppContext,
  taskClass: ScheduledClass,
  claim: { holder: string; askedBy: string | null } | null,
): Promise<unknown> {
  const startedAt = performance.now()
  const record = (run: Omit<Run, 'durationMs'>): Promise<void> => {
    const durationMs = Math.round(performance.now() - startedAt)
    return recordRun(context.database.kysely, taskClass.name, { ...run, durationMs }, claim)
  }
  try {
    if (!(await isEnabled(context.database.kysely, taskClass.name))) return null
    const counts = withoutZeros(await taskClass.run(context))
    const kept =
      (counts !== null &&
        periodSeconds(taskClass.cycle, new Date(0).toISOString()) >= KEPT_FROM_SECONDS) ||
      (claim?.askedBy ?? null) !== null
    await record({ ok: true, counts, message: '', kept })
    if (kept) context.wakeRelay()
    return null
  } catch (error) {
    context.log.error({ err: error, taskClass: taskClass.name }, 'a scheduled class failed')
    const message = error instanceof Error ? error.message : String(error)
    await record({ ok: false, counts: null, message, kept: true }).then(
      context.wakeRelay,
      () => undefined,
    )
    return error
  }
}

/** @returns null when nothing was done */
function withoutZeros(counts: RunCounts): RunCounts | null {
  const done = Object.entries(counts).filter(([, count]) => count !== 0)
  return done.length === 0 ? null : Object.fromEntries(done)
}
