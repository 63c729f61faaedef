import type { BatchKind, BatchLeftOut, BatchParams } from '#shared/rules/batch-sets.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    batches: BatchType
  }
}

/** The orders named, or those whose application was made in these instants, of a product or of all. */
export type BatchRequest =
  | { orderIds: readonly string[] }
  | { from: string | null; to: string | null; productId: string | null; most: number }

export interface BatchCandidate {
  orderId: string
  /** Codes of the state before and after, as the screen of the step names them; amounts and rates. */
  before: string
  after: string
  /** Null: it is taken. */
  why: BatchLeftOut | null
}

/** A step of the pipeline that can be run over many orders; the feature of the step brings it. */
export interface BatchType {
  kind: BatchKind
  /**
   * Of what is asked, the orders the caller may see; by instants only those that would be taken, the
   * oldest first.
   */
  candidates(
    tx: CommandTx,
    actor: StaffActor,
    request: BatchRequest,
    params: BatchParams,
  ): Promise<BatchCandidate[]>
  /** The same command as by hand. @throws Problem as it does */
  row(tx: CommandTx, orderId: string, params: BatchParams): Promise<void>
}
