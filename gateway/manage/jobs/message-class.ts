import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import type { ScheduledClass } from './scheduled-class.ts'

/** Stored in one transaction, and asked of the vendor at once. */
const STORED = 100
const AT_ONCE = 10

interface MessageClass<Due, Done> {
  name: string
  cycle: string
  /** Where the operate log files what was sent. */
  menu: string
  /**
   * Those to be notified now, oldest first. What `store` has seen is not found again in the
   * same run.
   */
  find(context: AppContext): Promise<readonly Due[]>
  send(context: AppContext, due: Due): Promise<Done>
  /** @returns how many were notified */
  store(tx: CommandTx, done: readonly Done[]): Promise<number>
}

/**
 * A task that sends messages to customers: the vendor is asked outside any transaction,
 * and a crash between sending and storing sends the same keys again.
 */
export function messageClass<Due, Done>({
  name,
  cycle,
  menu,
  find,
  send,
  store,
}: MessageClass<Due, Done>): ScheduledClass {
  async function sendChunk(context: AppContext, chunk: readonly Due[]): Promise<number> {
    const done: Done[] = []
    for (let i = 0; i < chunk.length; i += AT_ONCE)
      done.push(
        ...(await Promise.all(chunk.slice(i, i + AT_ONCE).map((due) => send(context, due)))),
      )
    const { result } = await runCommand(
      context,
      { actor: systemActor(name), audit: { menu, action: name } },
      (tx) => store(tx, done),
    )
    return result
  }
  return {
    name,
    cycle,
    async run(context) {
      let sent = 0
      let notReached = 0
      while (!context.stopping.aborted) {
        const due = await find(context)
        if (due.length === 0) break
        for (let i = 0; i < due.length; i += STORED) {
          const chunk = due.slice(i, i + STORED)
          const reached = await sendChunk(context, chunk)
          sent += reached
          notReached += chunk.length - reached
        }
      }
      return { sent, notReached }
    },
  }
}

export interface Attempt {
  sent: boolean
  /** The vendor's own, when it accepted the message. */
  vendorRef: string | null
}

/**
 * @param message made here, so that one address that cannot be read keeps no other customer untold
 * @returns whether the vendor accepted it; of a refusal only that: its reason is the vendor's and may
 * hold the number
 */
export async function trySend(
  vendor: MessageVendor,
  message: () => OutgoingMessage,
): Promise<Attempt> {
  try {
    const result = await vendor.send(message())
    return result.accepted
      ? { sent: true, vendorRef: result.vendorRef }
      : { sent: false, vendorRef: null }
  } catch {
    return { sent: false, vendorRef: null }
  }
}
