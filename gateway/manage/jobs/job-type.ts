import type { Problem } from '#shared/kernel/problem.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'

/** A job as its type knows it. */
export interface Job {
  id: string
  params: Record<string, unknown>
  /** Who started it; null = the system. */
  userId: string | null
  userName: string
}

/** What a bulk job does to each of its targets. */
export interface JobType {
  /** Key in `job.type`. */
  type: string
  /** i18n key of the message that all of it is done, where the count of its rows is meaningless. */
  doneTitle?: string
  /**
   * One target, in a transaction of its own that also stores the row's result. `tx.actor` is the
   * person who started the job, by id and name, without rights: those were checked when the job was
   * started.
   * @returns 'park' to leave this row and the job as they are until `unparkJob`
   * @throws Problem or IllegalTransition to refuse this target; the others go on
   */
  row(tx: CommandTx, targetId: string, params: Record<string, unknown>): Promise<void | 'park'>
  /**
   * Before the first row, outside a transaction: finds the targets of a job that was started
   * without any and hands them to `addRows`. After a crash it runs again unless rows were added;
   * what it wrote until then must not be in its way.
   * @param renew keeps the job for this runner; to be called every few seconds
   * @returns why the job cannot be done: it ends as failed
   */
  prepare?(context: AppContext, job: Job, renew: () => Promise<void>): Promise<void | Problem>
  /**
   * In the transaction that ends the job: every row was tried, the rest was cancelled, or `prepare`
   * refused it.
   */
  ended?(tx: CommandTx, job: Job, state: 'done' | 'cancelled' | 'failed'): Promise<void>
}
