import type { Static } from 'typebox'
import type {
  AgreedPart as AgreedPartSchema,
  approvalDetail,
  AskedFile as AskedFileSchema,
} from '#shared/approvals/approval-detail-api.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { FactRow } from '#shared/approvals/effect.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { Rehearsable } from './approval-types.ts'
import type { Approval } from './approval-types.ts'

type AskedFile = Static<typeof AskedFileSchema>
type AgreedPart = Static<typeof AgreedPartSchema>

/**
 * The definition of a kind of request, provided by the feature it belongs to.
 * @typeParam Payload what its requests store
 */
export interface ApprovalKind<Payload = Record<string, unknown>> {
  kind: ApprovalKindName
  /** The menu it was requested on; null = that of the code in its request. */
  menu: string | null
  /** Where it is decided, unless beside the list of `menu`. */
  route?: string
  /**
   * The code needed to decide; null = each request stores its own (`payload.code`) and the required
   * data scope (`payload.scope`).
   */
  approveCode: string | null
  /** The orders it changes. */
  orderIds(approval: Approval<Payload>): string[]
  /** The requested file, without values that identify a person. */
  fileOf?(approval: Pick<Approval<Payload>, 'payload' | 'count'>): AskedFile
  /** For a request about a role. */
  role?(db: Db, approval: Approval<Payload>): Promise<DataOf<typeof approvalDetail>['role']>
  /** The agreed instalments, IST days and paise. */
  planOf?(approval: Pick<Approval<Payload>, 'payload'>): AgreedPart[]
  /** Facts known in advance, personal data masked. */
  facts?(db: Db, request: Rehearsable<Payload>): Promise<FactRow[]>
  /**
   * Reads the state of its targets, before and after a rehearsal. Absent for a kind that is
   * executed by a job.
   */
  snapshot?(trx: Trx, request: Rehearsable<Payload>): Promise<FactRow[]>
  /**
   * Executes the request in the transaction of the approval.
   * @throws Problem: nothing changes, the request stays pending
   */
  carryOut(tx: CommandTx, approval: Rehearsable<Payload>): Promise<void>
  /** Called when it was rejected, withdrawn or expired. */
  dropped?(tx: CommandTx, approval: Approval<Payload>): Promise<void>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Hooks {
    approvals: ApprovalKind
  }
}

type WithPayload = Pick<Approval, 'payload'>

export function codeOf(
  { approveCode }: Pick<ApprovalKind, 'approveCode'>,
  { payload }: WithPayload,
): string {
  return approveCode ?? String(payload.code)
}

export function menuOf(
  kind: Pick<ApprovalKind, 'menu' | 'approveCode'>,
  request: WithPayload,
): string {
  return kind.menu ?? (codeOf(kind, request).split(':')[0] as string)
}
