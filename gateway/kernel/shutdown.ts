/**
 * Ends a process in order: each step is waited for, and all together have a limit of 10 s. main.ts
 * handles the signals.
 */
import type { Logger } from '#gateway/kernel/logger.ts'

export interface ShutdownStep {
  name: string
  run(): Promise<void> | void
}

export const SHUTDOWN_LIMIT_MS = 10_000

/**
 * Runs the steps one after another; a failing step is logged and the next one still runs.
 * @returns `clean` when every step ended well, `failed` when one threw, `late` when the limit
 * passed first
 */
export async function runShutdown(
  steps: readonly ShutdownStep[],
  logger: Logger,
  limitMs = SHUTDOWN_LIMIT_MS,
): Promise<'clean' | 'failed' | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs)
  })
  const outcome = await Promise.race([runAll(steps, logger), late])
  clearTimeout(timer)
  if (outcome === 'late') logger.error({ limitMs }, 'shutdown took too long')
  return outcome
}

async function runAll(steps: readonly ShutdownStep[], logger: Logger): Promise<'clean' | 'failed'> {
  let outcome: 'clean' | 'failed' = 'clean'
  for (const step of steps) {
    try {
      await step.run()
      logger.info({ step: step.name }, 'shutdown step done')
    } catch (err) {
      outcome = 'failed'
      logger.error({ err, step: step.name }, 'shutdown step failed')
    }
  }
  return outcome
}
