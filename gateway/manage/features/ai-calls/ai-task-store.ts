/** Writes one task at a time: lock the row, ask the lifecycle, `moveTask`. */
import { type RawBuilder, sql } from 'kysely'
import type { AiResult, CancelCause } from '#shared/ai-calls/ai-call-sets.ts'
import { AI_TASK_CHANGED } from '#shared/ai-calls/ai-calls-live.ts'
import { AI_TASK_STATE } from '#shared/ai-calls/ai-calls-problems.ts'
import {
  type AiTaskEvent,
  aiTaskLifecycle,
  type AiTaskState,
} from '#shared/ai-calls/ai-task-lifecycle.ts'
import { IllegalTransition } from '#shared/kernel/lifecycle.ts'
import { Problem } from '#shared/kernel/problem.ts'
import { lockContacts } from '#gateway/manage/features/customers/public.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

export const MENU = 'ai_call_config'

export interface LockedTask {
  id: string
  config_id: string
  order_id: string
  case_id: string | null
  customer_id: string
  state: AiTaskState
  attempt: number
  redials: number
  rounds: number
  due_at: string | null
  result: AiResult | null
  created_at: string
  version: number
}

/** Of `ai_call_task t`, as a LockedTask. */
export const TASK_COLUMNS =
  sql.raw(`t.id, t.config_id, t.order_id, t.case_id, t.customer_id, t.state, t.attempt,
  t.redials, t.rounds, t.due_at, t.result, t.created_at, t.version`)

/**
 * Locks a task after all that its call may touch, in the order of a person's contact: contacts of the
 * borrower, their cases, tasks. So a person who contacts the borrower and the robot wait for each other
 * only one way, and count each other's contacts.
 */
export async function lockTask(tx: CommandTx, taskId: string): Promise<LockedTask | null> {
  const found = await sql<{ customer_id: string }>`
    select t.customer_id from ai_call_task t where t.id = ${taskId}`.execute(tx.db)
  const customerId = found.rows[0]?.customer_id
  if (customerId === undefined) return null
  await lockContacts(tx, customerId)
  await sql`
    select from collection_case c where c.customer_id = ${customerId} and c.state <> 'closed'
    order by c.id for update`.execute(tx.db)
  const { rows } = await sql<LockedTask>`
    select ${TASK_COLUMNS} from ai_call_task t where t.id = ${taskId} for update of t`.execute(
    tx.db,
  )
  return rows[0] ?? null
}

/** @throws Problem AI-STATE with the state */
export function nextAiState({ state }: Pick<LockedTask, 'state'>, event: AiTaskEvent): AiTaskState {
  try {
    return aiTaskLifecycle.next(state, event)
  } catch (error) {
    if (!(error instanceof IllegalTransition)) throw error
    throw new Problem(
      AI_TASK_STATE,
      { state },
      { state, event: event.type, allowed: aiTaskLifecycle.allowed(state) },
    )
  }
}

export interface TaskMove {
  to: AiTaskState
  /** When it dials next; null = not by itself. */
  dueAt: RawBuilder<unknown> | null
  set?: RawBuilder<unknown>[]
  cause?: CancelCause
}

export async function moveTask(
  tx: CommandTx,
  task: LockedTask,
  { to, dueAt, set = [], cause }: TaskMove,
): Promise<LockedTask> {
  const { rows } = await sql<LockedTask>`
    update ai_call_task t set ${sql.join([
      sql`state = ${to}`,
      sql`due_at = ${dueAt ?? sql`null`}`,
      ...(cause === undefined ? [] : [sql`cancel_cause = ${cause}`]),
      sql`version = t.version + 1`,
      ...set,
    ])} where t.id = ${task.id} returning ${TASK_COLUMNS}`.execute(tx.db)
  const moved = rows[0] as LockedTask
  emitTask(tx, moved, cause ?? null)
  return moved
}

/** One in a call is paused first, as by hand. */
export async function cancelTask(
  tx: CommandTx,
  task: LockedTask,
  cause: CancelCause,
): Promise<LockedTask> {
  const state = task.state === 'calling' ? nextAiState(task, { type: 'PAUSE' }) : task.state
  const to = nextAiState({ state }, { type: 'CANCEL' })
  return moveTask(tx, task, { to, dueAt: null, cause })
}

export function emitTask(tx: CommandTx, task: LockedTask, cause: CancelCause | null): void {
  tx.emit(AI_TASK_CHANGED, {
    subject: `aiTask:${task.id}`,
    version: task.version,
    rooms: roomsOf(task),
    data: {
      taskId: task.id,
      orderId: task.order_id,
      caseId: task.case_id,
      state: task.state,
      attempt: task.attempt,
      dueTime: task.due_at,
      cause,
    },
  })
}

/** The list of tasks, and viewers of the case. */
export function roomsOf({ case_id: caseId }: Pick<LockedTask, 'case_id'>): string[] {
  return [`menu:${MENU}`, ...(caseId === null ? [] : [`case:${caseId}`])]
}
