import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ApprovalKind } from './approval-kind.ts'
import { expireApproval, overdueApprovals } from './decide-approval.ts'

/** Requests nobody decided within approval.hours (api.md 24). */
export function approvalExpire(kinds: readonly ApprovalKind[]): ScheduledClass {
  return {
    name: 'approvalExpire',
    cycle: 'every:3600',
    async run(house) {
      let expired = 0
      for (const id of await overdueApprovals(house.database.kysely)) {
        const outcome = await runCommand(
          house,
          {
            actor: systemActor('approvalExpire'),
            audit: { action: 'approvalExpire', targetKind: 'approval', targetId: id },
          },
          (cx) => expireApproval(cx, kinds, id),
        )
        // without an idempotency key a command is never replayed by the runner
        if ((outcome as { result: boolean }).result) expired += 1
      }
      return expired === 0 ? '' : `${expired} requests expired`
    },
  }
}
