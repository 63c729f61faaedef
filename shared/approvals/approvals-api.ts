import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { APPROVAL_KINDS, APPROVAL_STATES } from './approval-sets.ts'

/** Requests that a second person decides. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }

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
