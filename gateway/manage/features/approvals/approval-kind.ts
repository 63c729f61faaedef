import type { Static } from 'typebox'
import type {
  AgreedPart as AgreedPartSchema,
  approvalDetail,
  AskedFile as AskedFileSchema,
} from '#shared/approvals/approvals-api.ts'
import type { ApprovalKindName } from '#shared/approvals/approval-sets.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { FactRow } from '#shared/approvals/effect.ts'
import type { Db, Trx } from '#gateway/manage/db/transaction.ts'
import type { Cx } from '#gateway/manage/kernel/command.ts'
import type { Rehearsable } from './approval-effect.ts'
import type { Approval } from './approval-store.ts'

type AskedFile = Static<typeof AskedFileSchema>
type AgreedPart = Static<typeof AgreedPartSchema>

/** What a kind of request needs and does; the feature that asks for it brings it. */
export interface ApprovalKind {
  kind: ApprovalKindName
  /** Menu it was asked for on; null = that of the code its request names. */
  menu: string | null
  /** Where it is decided, when not beside the list of `menu`. */
  route?: string
  /** Code of who may decide; null = each request names its own (`payload.code`) and the scope it needs (`payload.scope`, a scope name). */
  approveCode: string | null
  /** Orders it concerns. */
  orderIds(approval: Approval): string[]
  /** The file it is about, without a value by which somebody is found. */
  fileOf?(approval: Pick<Approval, 'payload' | 'count'>): AskedFile
  /** Of a request about a role. */
  role?(db: Db, approval: Approval): Promise<DataOf<typeof approvalDetail>['role']>
  /** The parts it agrees, IST days and paise. */
  planOf?(approval: Pick<Approval, 'payload'>): AgreedPart[]
  /** What is known of it beforehand, personal data masked. */
  facts?(db: Db, asked: Rehearsable): Promise<FactRow[]>
  /** How what it concerns stands: looked at before and after a rehearsal, for whoever decides. Not for a kind whose work a job does. */
  stand?(trx: Trx, asked: Rehearsable): Promise<FactRow[]>
  /** Carries it out, in the transaction of the approval. @throws Problem: nothing changes, the request stays pending */
  carryOut(cx: Cx, approval: Rehearsable): Promise<void>
  /** It was rejected or withdrawn, or ran out. */
  dropped?(cx: Cx, approval: Approval): Promise<void>
}

type Asked = Pick<Approval, 'payload'>

export function codeOf(
  { approveCode }: Pick<ApprovalKind, 'approveCode'>,
  { payload }: Asked,
): string {
  return approveCode ?? String(payload.code)
}

export function menuOf(kind: Pick<ApprovalKind, 'menu' | 'approveCode'>, asked: Asked): string {
  return kind.menu ?? (codeOf(kind, asked).split(':')[0] as string)
}
