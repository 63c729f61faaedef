import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { Approval } from './approval-store.ts'

/** What a kind of request needs and does; the feature that asks for it brings it. */
export interface ApprovalKind {
  kind: ApprovalKindName
  /** Menu it was asked for on. */
  menu: string
  /** Code of who may decide. */
  approveCode: string
  /** Orders it concerns. */
  orderIds(approval: Approval): string[]
  /** Carries it out, in the transaction of the approval. @throws Problem: nothing changes, the request stays pending */
  carryOut(cx: Cx, approval: Approval): Promise<void>
}
