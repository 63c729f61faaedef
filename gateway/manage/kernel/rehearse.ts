import type { Actor } from './actor.ts'
import { type CommandTx, runCommand } from './command.ts'
import type { AppContext } from './app-context.ts'

/** Carries the end of a rehearsal out of its transaction, which is then undone. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed'
  readonly end: () => unknown
  constructor(end: () => unknown) {
    super('rehearsed')
    this.end = end
  }
}

/**
 * Runs a command and takes everything back; a refusal is not written down either, since nobody
 * asked for the deed.
 */
export async function rehearse<T>(
  context: AppContext,
  actor: Actor,
  command: (tx: CommandTx) => Promise<T>,
): Promise<T> {
  try {
    await runCommand(context, { actor, audit: { action: 'preview' } }, async (tx) => {
      const end = await command(tx).then(
        (result) => () => result,
        (error: unknown) => () => {
          throw error
        },
      )
      throw new Rehearsed(end)
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.end() as T
    throw error
  }
  throw new Error('a rehearsal was carried out')
}
