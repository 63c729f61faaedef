import { REVEALS_PER_HOUR, tellManagers } from '#gateway/manage/features/customers/public.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { ExportParams } from './queue-export.ts'

/** A file with phones in the clear stands in the log before it leaves; of more than an hour's reveals the managers hear (trust.md H2). */
export async function logOpened(
  cx: Cx,
  { code, reason }: Pick<ExportParams, 'code' | 'reason'>,
  { targetKind, targetId, rows }: { targetKind: string; targetId: string; rows: number },
): Promise<void> {
  cx.log({
    action: 'reveal',
    menu: code.slice(0, code.indexOf(':')),
    targetKind,
    targetId,
    after: { field: 'phone', rows, reason },
  })
  if (rows > REVEALS_PER_HOUR) await tellManagers(cx, rows)
}
