/** People pause, resume and cancel tasks. */
import { sql } from 'kysely'
import type * as api from '#shared/ai-calls/ai-calls-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import { ordersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import { inBulk } from '#gateway/manage/jobs/in-bulk.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { lockTask, MENU, moveTask, nextAiState } from './ai-task-store.ts'

export function steerAiTasks(
  tx: CommandTx,
  { taskIds, to }: InputOf<typeof api.steerAiTasks>,
): Promise<BulkResult> {
  return inBulk(tx, taskIds, {
    type: steerTaskJob,
    menu: MENU,
    params: { to },
    known: sql`
      select t.id from ai_call_task t join loan_order o on o.id = t.order_id
      where t.id = any(${taskIds}::text[]) and ${ordersInScope(staff(tx.actor))}`,
  })
}

export const steerTaskJob: JobType = {
  type: 'aiCall.state',
  /** @throws Problem AI-STATE: one in a call is paused before it is cancelled */
  async row(tx, taskId, { to }) {
    const task = await lockTask(tx, taskId)
    if (task === null) throw new Problem(NOT_FOUND)
    const state =
      to === 'paused'
        ? nextAiState(task, { type: 'PAUSE' })
        : to === 'cancelled'
          ? nextAiState(task, { type: 'CANCEL' })
          : task.state === 'created'
            ? nextAiState(task, { type: 'SCHEDULE', insideHours: true })
            : nextAiState(task, { type: 'RESUME' })
    await moveTask(tx, task, {
      to: state,
      dueAt: state === 'pending' ? sql`clock_timestamp()` : null,
      ...(state === 'cancelled' && { cause: 'byStaff' }),
    })
    tx.log({
      menu: MENU,
      action: 'task',
      targetKind: 'aiTask',
      targetId: taskId,
      before: { state: task.state },
      after: { state },
    })
  },
}
