/**
 * Runs scheduled classes. Every process may have a scheduler: a due task is claimed in the
 * database, so one of them runs it. A class never runs twice at once in a process; waking one that
 * runs makes it run once more.
 */
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { periodSeconds } from './cycle.ts'
import type { ScheduledClass } from './scheduled-class.ts'
import { addTasks, claimDue, isEnabled, recordRun } from './task-store.ts'

const TICK_MS = 1_000
/** Classes that run more often leave no row when they succeed. */
const KEPT_FROM_SECONDS = 60

export interface Scheduler {
  start(): Promise<void>
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
  const woken = new Set<string>()
  const running = new Map<string, Promise<void>>()
  const failures: unknown[] = []
  let timer: NodeJS.Timeout | null = null
  let ticking: Promise<void> | null = null
  let isStopped = false

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
      const error = await runOnce(context, taskClass)
      if (error !== null) failures.push(error)
    }
  }
  async function tick(): Promise<void> {
    const { due, broken } = await claimDue(context.database, names)
    for (const name of broken)
      context.log.error({ taskClass: name }, 'the cycle of a scheduled task cannot be read')
    for (const name of due) begin(name)
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

/** @returns what went wrong, or null */
async function runOnce(context: AppContext, taskClass: ScheduledClass): Promise<unknown> {
  const startedAt = performance.now()
  try {
    if (!(await isEnabled(context.database.kysely, taskClass.name))) return null
    const message = await taskClass.run(context)
    const kept =
      message !== '' &&
      periodSeconds(taskClass.cycle, new Date(0).toISOString()) >= KEPT_FROM_SECONDS
    await recordRun(context.database.kysely, taskClass.name, {
      ok: true,
      message,
      durationMs: Math.round(performance.now() - startedAt),
      kept,
    })
    return null
  } catch (error) {
    context.log.error({ err: error, taskClass: taskClass.name }, 'a scheduled class failed')
    const message = error instanceof Error ? error.message : String(error)
    await recordRun(context.database.kysely, taskClass.name, {
      ok: false,
      message,
      durationMs: Math.round(performance.now() - startedAt),
      kept: true,
    }).catch(() => undefined)
    return error
  }
}
