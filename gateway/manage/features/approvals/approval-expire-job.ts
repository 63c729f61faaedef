import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ApprovalKind } from './approval-kind.ts'
import { expireApproval, overdueApprovals } from './decide-approval.ts'

/** Expires requests that were not decided within approval.hours. */
export function approvalExpire(kinds: readonly ApprovalKind[]): ScheduledClass {
  return {
    name: 'approvalExpire',
    cycle: 'every:3600',
    async run(context) {
      let expired = 0
      for (const id of await overdueApprovals(context.database.kysely)) {
        const outcome = await runCommand(
          context,
          {
            actor: systemActor('approvalExpire'),
            audit: { action: 'approvalExpire', targetKind: 'approval', targetId: id },
          },
          (tx) => expireApproval(tx, kinds, id),
        )
        // without an idempotency key there is never a replayed answer
        if ((outcome as { result: boolean }).result) expired += 1
      }
      return { expired }
    },
  }
}
