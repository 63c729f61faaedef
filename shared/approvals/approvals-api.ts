import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { Effect } from './effect.ts'
import { APPROVAL_KINDS, APPROVAL_STATES } from './approval-sets.ts'

/** Requests that a second person decides (api.md 24). */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

const RoleFacts = Type.Object({ name: text, dataScope: text })

export const ApprovalRow = Type.Object({
  approvalId: text,
  kind: OneOf(APPROVAL_KINDS),
  targetKind: text,
  targetId: text,
  amount: int,
  count: int,
  reason: text,
  state: OneOf(APPROVAL_STATES),
  requestById: text,
  requestBy: text,
  requestTime: text,
  decideBy: maybe,
  decideTime: maybe,
  decideReason: maybe,
  expireTime: text,
  /** The caller may decide it. */
  mayDecide: Type.Boolean(),
  version: int,
})

/** A file that is asked for: the list by its menu, what it is filtered by, its columns by their headers. */
export const AskedFile = Type.Object({
  menu: text,
  title: text,
  format: text,
  rows: int,
  columns: Type.Array(text),
  /** With phones in the clear. */
  reveal: Type.Boolean(),
  /** Values by which somebody is found are left out. */
  filters: Type.Array(Type.Object({ name: text, value: text })),
})

export const listApprovals = endpoint({
  method: 'GET',
  path: '/approval/list',
  access: 'any',
  input: ListInput({
    kind: Type.Optional(OneOf(APPROVAL_KINDS)),
    state: Type.Optional(OneOf(APPROVAL_STATES)),
    mine: Type.Optional(Type.Boolean()),
  }),
  data: ListData(ApprovalRow),
  summary:
    'Own requests, and those the caller may decide; what waits stands first, the oldest before',
})

/** IST day and paise. */
export const AgreedPart = Type.Object({ dueTime: text, amount: int })

export const approvalDetail = endpoint({
  method: 'GET',
  path: '/approval/detail',
  access: 'any',
  input: Type.Object({ approvalId: Id() }),
  data: Type.Object({
    approval: ApprovalRow,
    /** Of a role: what it would be, and what it would open and do more or no longer. Titles are keys of the browser's texts. */
    role: Nullable(
      Type.Object({
        before: Nullable(RoleFacts),
        after: RoleFacts,
        changes: Type.Array(
          Type.Object({ added: Type.Boolean(), menu: text, title: text, action: maybe }),
        ),
      }),
    ),
    /** Orders it concerns, with what they owe and are now; 200 at most. */
    orders: Type.Array(
      Type.Object({ orderId: text, userName: text, status: int, outstanding: int }),
    ),
    /** What it would do now, while it waits; null where the other parts say it. */
    effect: Nullable(Effect),
    file: Nullable(AskedFile),
    /** Of a cure: the parts it is to be paid in. */
    plan: Nullable(Type.Array(AgreedPart)),
  }),
  summary: 'One request and what it concerns',
})

export const decideApproval = endpoint({
  method: 'POST',
  path: '/approval/decide',
  access: 'any',
  input: Type.Object(
    {
      approvalId: Id(),
      version: Version(),
      result: OneOf(['approved', 'rejected']),
      reason: Type.Optional(Text(4, 200)),
    },
    strict,
  ),
  data: ApprovalRow,
  audit: 'decideApproval',
  idempotency: 'required',
  summary: "Decides another's request: approved, it is carried out at once under its own rules",
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/approval/withdraw',
  access: 'any',
  input: Type.Object({ approvalId: Id(), version: Version() }, strict),
  data: ApprovalRow,
  audit: 'withdrawApproval',
  idempotency: 'required',
  summary: 'Takes back an own request',
})
