import Type from 'typebox'
import { endpoint, Id, Nullable } from '#shared/kernel/endpoint.ts'
import { ApprovalRow } from './approvals-api.ts'
import { Effect } from './effect.ts'

/** One request with what it would do; lists, which show that a row waits, do not load it. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()

const RoleFacts = Type.Object({ name: text, dataScope: text })

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
