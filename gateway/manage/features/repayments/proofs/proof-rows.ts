/** Payment proofs as their contract rows: the list in one statement, and one of them. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { listProofs, ProofRow as RowSchema } from '#shared/repayments/proofs-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { FILE_KIND } from '#gateway/manage/kernel/kept-files.ts'
import {
  allOf,
  filterClauses,
  isoTime,
  onePage,
  sortOf,
  notNull,
  type Sorts,
} from '#gateway/manage/kernel/list-parts.ts'
import { listedInScope, ofOrdersInScope } from '#gateway/manage/features/orders/order-scope.ts'
import type { JsonText } from '#gateway/manage/kernel/answer.ts'
import { customersNamed } from '#gateway/manage/features/customers/public.ts'

export type ProofRow = Static<typeof RowSchema>

const SORTS: Sorts = {
  createTime: notNull('f.created_at'),
  proofId: notNull('f.id'),
  orderId: notNull('f.order_id'),
  amount: notNull('f.amount'),
  payTime: notNull('f.paid_at'),
  decideTime: 'f.decided_at',
}
/** Pending proofs come first, oldest first; an index serves this order. */
const BY_DEFAULT = `(f.state = 'pending') desc, f.created_at, f.id`

/** The payment that has its UTR, other than the one booked from it. */
const JOINS = sql`
  join customer c on c.id = f.customer_id
  left join repay_record b on b.utr = f.utr and b.pay_state <> 'fail' and b.reversed_at is null
    and b.id is distinct from f.record_id
  cross join lateral (
    select coalesce(json_agg(x.file_id order by x.n), '[]') as ids, coalesce(json_agg(${sql.raw(FILE_KIND)}
      order by x.n), '[]') as kinds
    from repay_proof_file x join file_object o on o.id = x.file_id where x.proof_id = f.id) files`

function rowFor({ rights }: Pick<StaffActor, 'rights'>): RawBuilder<ProofRow> {
  const first =
    rights.scope === 'all'
      ? sql`
        case when b.id is not null then json_build_object('recordId', b.id, 'orderId', coalesce(b.order_id,
          b.told_order_id)) end`
      : sql`null`
  return sql`json_build_object(
    'proofId', f.id, 'orderId', f.order_id, 'userId', f.customer_id, 'userName', c.name, 'amount', f.amount,
      'utr', f.utr, 'payTime', ${isoTime('f.paid_at')}, 'channel', f.channel, 'fileIds', files.ids,
      'fileKinds', files.kinds,
    'submitter', f.submitter, 'submitById', f.submitted_by, 'submitName', f.submitted_by_name, 'state',
      f.state, 'decideById', f.decided_by, 'decideBy', f.decided_by_name, 'decideTime',
      ${isoTime('f.decided_at')}, 'reason', f.reason,
    'duplicate', b.id is not null, 'duplicateOf', ${first}, 'recordId', f.record_id, 'createTime',
      ${isoTime('f.created_at')}, 'version', f.version)`
}

/** Scope of the caller as a predicate over `repay_proof f`. */
export function proofsInScope(actor: StaffActor): RawBuilder<boolean> {
  return ofOrdersInScope(actor, 'f.order_id')
}

/** @throws Problem G-FIELD for a sort the list does not know */
export async function proofList(
  db: Db,
  actor: StaffActor,
  input: InputOf<typeof listProofs>,
): Promise<JsonText> {
  const where = sql`${listedInScope(actor, 'f.order_id')} and ${filters(input)}`
  // of one state the first part is the same in each row, which the planner does not see
  const byDefault = input.state === undefined ? BY_DEFAULT : 'f.created_at, f.id'
  const order =
    input.sort === undefined ? sql.raw(byDefault) : sortOf(input.sort, SORTS, '', 'f.id')
  return onePage(db, {
    from: 'repay_proof f',
    where,
    order,
    row: rowFor(actor),
    joins: JOINS,
    input,
  })
}

function filters(input: InputOf<typeof listProofs>): RawBuilder<unknown> {
  const { all, add } = filterClauses()
  add(input.proofId, (id) => sql`f.id = ${id}`)
  add(input.orderId, (id) => sql`f.order_id = ${id}`)
  add(input.userName, (name) => sql`f.customer_id = ${customersNamed(name)}`)
  add(input.utr, (utr) => sql`f.utr = ${utr.toUpperCase()}`)
  add(input.state, (state) => sql`f.state = ${state}`)
  add(input.submitter, (submitter) => sql`f.submitter = ${submitter}`)
  add(input.createTimeFrom, (time) => sql`f.created_at >= ${time}::timestamptz`)
  add(input.createTimeTo, (time) => sql`f.created_at <= ${time}::timestamptz`)
  return allOf(all)
}

/** One proof, without a scope check: the caller has made it. */
export async function proofRow(db: Db, actor: StaffActor, proofId: string): Promise<ProofRow> {
  const { rows } = await sql<{
    row: ProofRow
  }>`select ${rowFor(actor)} as row from repay_proof f ${JOINS} where f.id = ${proofId}`.execute(db)
  return (rows[0] as { row: ProofRow }).row
}
