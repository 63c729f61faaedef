import type { Cx } from '#gateway/manage/kernel/command.ts'

/** What a bulk job does to each of its targets (api.md 0, Bulk). */
export interface JobType {
  /** Key in `job.type`. */
  type: string
  /**
   * One target, in a transaction of its own that also stores the row's result. `cx.actor` is the person who started the job,
   * by id and name, without rights: those were checked when the job was started.
   * @throws Problem or IllegalTransition to refuse this target; the others go on
   */
  row(cx: Cx, targetId: string, params: Record<string, unknown>): Promise<void>
}
