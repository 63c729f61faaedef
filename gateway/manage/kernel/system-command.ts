import { systemActor } from './actor.ts'
import type { AppContext } from './app-context.ts'
import { type CommandTx, runCommand } from './command.ts'

export interface SystemWork {
  /** Of the job: its label stands in the log as the actor and the action. */
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
