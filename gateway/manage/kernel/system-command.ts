import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from './actor.ts'
import type { AppContext } from './app-context.ts'
import { type AuditEntry, type CommandTx, runCommand } from './command.ts'

export interface SystemWork {
  /** Of the job: its label is in the log as the actor and the action. */
  name: string
  menu: string
}

/** Runs a command of a background job. */
export async function runAsSystem<T>(
  context: AppContext,
  { name, menu }: SystemWork,
  command: (tx: CommandTx) => Promise<T>,
): Promise<T> {
  const { result } = await runCommand(
    context,
    { actor: systemActor(name), audit: { action: name, menu } },
    command,
  )
  return result
}

export interface RowWork {
  /** Of the job. */
  name: string
  /** Entry of the operate log for each row, beside its id. */
  audit: Omit<AuditEntry, 'targetId'>
  /** Told of each refusal, which the operate log has as well. */
  onRefused?: (id: string, refusal: Problem) => void
}

/**
 * One command of a background job for each row, in its order. A row that is refused, because somebody
 * changed it meanwhile, does not stop the others.
 * @returns how many were not refused
 * @throws every error that is no Problem
 */
export async function runPerRow(
  context: AppContext,
  ids: readonly string[],
  { name, audit, onRefused }: RowWork,
  command: (tx: CommandTx, id: string) => Promise<unknown>,
): Promise<number> {
  let done = 0
  for (const id of ids) {
    try {
      await runCommand(
        context,
        { actor: systemActor(name), audit: { ...audit, targetId: id } },
        (tx) => command(tx, id),
      )
      done += 1
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      onRefused?.(id, error)
    }
  }
  return done
}
