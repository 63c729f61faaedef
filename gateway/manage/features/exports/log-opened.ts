import { REVEALS_PER_HOUR, notifyManagers } from '#gateway/manage/features/customers/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ExportParams } from './queue-export.ts'

/**
 * Logs an unmasked file before it is sent, and notifies the managers when it holds more phones than
 * the hourly reveal limit.
 */
export async function logOpened(
  tx: CommandTx,
  { code, reason }: Pick<ExportParams, 'code' | 'reason'>,
  { targetKind, targetId, rows }: { targetKind: string; targetId: string; rows: number },
): Promise<void> {
  tx.log({
    action: 'reveal',
    menu: code.slice(0, code.indexOf(':')),
    targetKind,
    targetId,
    after: { field: 'phone', rows, reason },
  })
  if (rows > REVEALS_PER_HOUR) await notifyManagers(tx, rows)
}
