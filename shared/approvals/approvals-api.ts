import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { Effect } from './effect.ts'
import { APPROVAL_KINDS, APPROVAL_STATES } from './approval-sets.ts'

/** Requests that a second person decides. */
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

/** A requested file: the list by its menu, its filters, and its columns by their headers. */
export const AskedFile = Type.Object({
  menu: text,
  title: text,
  format: text,
  rows: int,
  columns: Type.Array(text),
  /** With unmasked phones. */
  reveal: Type.Boolean(),
  /** Values that identify a person are left out. */
  filters: Type.Array(Type.Object({ name: text, value: text })),
})

export const listApprovals = endpoint({
  method: 'GET',
  path: '/approval/list',
  access: 'any',
  input: ListInput({
    kind: Type.Optional(OneOf(APPROVAL_KINDS)),
    /** Kinds that are asked for on this page. */
    menu: Type.Optional(Id()),
    state: Type.Optional(OneOf(APPROVAL_STATES)),
    mine: Type.Optional(Type.Boolean()),
  }),
  data: ListData(ApprovalRow),
  summary: 'Own requests, and those the caller may decide; pending ones first, oldest first',
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
    /**
     * Of a role: its fields after the edit, and the permissions added and removed. Titles are i18n
     * keys.
     */
    role: Nullable(
      Type.Object({
        before: Nullable(RoleFacts),
        after: RoleFacts,
        changes: Type.Array(
          Type.Object({ added: Type.Boolean(), menu: text, title: text, action: maybe }),
        ),
      }),
    ),
    /** The orders it changes, with their debt and current state; 200 at most. */
    orders: Type.Array(
      Type.Object({ orderId: text, userName: text, status: int, outstanding: int }),
    ),
    /** What it would do now, while it is pending; null where the other fields show it. */
    effect: Nullable(Effect),
    file: Nullable(AskedFile),
    /** Of a cure: the instalments to be paid. */
    plan: Nullable(Type.Array(AgreedPart)),
  }),
  summary: 'One request and its targets',
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
  summary: "Decides another's request; an approved one is executed at once under its own rules",
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/approval/withdraw',
  access: 'any',
  input: Type.Object({ approvalId: Id(), version: Version() }, strict),
  data: ApprovalRow,
  audit: 'withdrawApproval',
  idempotency: 'required',
  summary: 'Withdraws an own request',
})
