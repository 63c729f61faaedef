/**
 * Applies live events to the rows of the lists of payments and instalments. The result equals what
 * reading them again would give: rows are patched or leave, and versions decide. The result names
 * what an event does not carry (`read`, `ask`), so that the screen reads only that. Pure.
 */
import type { Range } from '#client/ui/grid/grid-url.ts'
import type { LiveChange } from '#client/ui/grid/live-rows.ts'
import type { DataOfEvent, LiveEvent } from '#shared/kernel/live.ts'
import { PLAN_CHANGED } from '#shared/orders/orders-live.ts'
import {
  PROOF_CHANGED,
  REDUCTION_CHANGED,
  REPAYMENT_CHANGED,
  WRITEOFF_DONE,
} from '#shared/repayments/repayments-live.ts'
import type { PlanRow, ProofRow, RecordRow, ReduceRow, WriteOffRow } from '../payment-types.ts'
import { type ProofFilters, stateOf } from '../proofs/proof-filters.ts'
import type { ReductionFilters } from '../reductions/reduction-filters.ts'
import type { WriteOffFilters } from '../writeoffs/write-off-filters.ts'
import type { PlanFilters } from './plan-filters.ts'
import type { RecordFilters } from './record-filters.ts'

export const PLAN_LIST_EVENTS: readonly string[] = [PLAN_CHANGED.type]
export const RECORD_LIST_EVENTS: readonly string[] = [REPAYMENT_CHANGED.type]
/** A write-off by payment that was launched or failed is reported only by its payment. */
export const WRITE_OFF_LIST_EVENTS: readonly string[] = [WRITEOFF_DONE.type, REPAYMENT_CHANGED.type]
export const REDUCTION_LIST_EVENTS: readonly string[] = [REDUCTION_CHANGED.type]

/** A payment may belong to the same transfer as a pending proof. */
export const PROOF_LIST_EVENTS: readonly string[] = [PROOF_CHANGED.type, REPAYMENT_CHANGED.type]

export interface Applied {
  changes: LiveChange[]
  /** Rows to read, because more changed than the event carries. */
  read: ReadonlySet<string>
  /** There may be new rows whose position only the server knows. */
  needsRefetch: boolean
}

/**
 * The change of a row by an event: the id, the changed fields, and whether the row matches the
 * list with them (null = only the server knows).
 */
interface RowChange<Row> {
  id: string
  fields: Partial<Row>
  fits: boolean | null
  /** Whether the row matched before; true without a row. */
  stood: boolean
}

export function applyPlanEvents(
  rows: ReadonlyMap<string, PlanRow>,
  events: readonly LiveEvent[],
  filters: PlanFilters,
  gone: string,
): Applied {
  return apply(rows, events, gone, (event, row) => {
    const { planId, orderId, paymentStatus, outstanding, overdueDays } = event.data as DataOfEvent<
      typeof PLAN_CHANGED
    >
    const {
      paymentStatus: states,
      overdue,
      orderId: order,
      planId: plan,
      settled,
      ...others
    } = filters
    const stands = (status: string, days: number) =>
      (states === undefined || states.length === 0 || states.includes(status)) &&
      inside(days, overdue)
    const known = [
      stands(paymentStatus, overdueDays),
      order === undefined || order === orderId,
      plan === undefined || plan === planId,
      settled === undefined || paymentStatus === 'paid',
    ]
    return {
      id: planId,
      fields: { paymentStatus, outstanding, overdueDays },
      // the event does not contain the day of the last payment
      fits: fitsOf(known, settled === undefined && (row !== undefined || isEmpty(others))),
      stood: row === undefined || stands(row.paymentStatus, row.overdueDays),
    }
  })
}

export function applyRecordEvents(
  rows: ReadonlyMap<string, RecordRow>,
  events: readonly LiveEvent[],
  filters: RecordFilters,
  gone: string,
): Applied {
  return apply(rows, events, gone, (event, row) => {
    const { recordId, orderId, planId, payState, channel, source } = event.data as DataOfEvent<
      typeof REPAYMENT_CHANGED
    >
    const {
      payState: state,
      channel: way,
      source: from,
      orderId: order,
      recordId: record,
      ...others
    } = filters
    const known = [
      state === undefined || state === payState,
      way === undefined || Number(way) === channel,
      from === undefined || from === source,
      order === undefined || orderId === null || order === orderId,
      record === undefined || record === recordId,
    ]
    return {
      id: recordId,
      fields: { orderId, planId, payState },
      fits: fitsOf(known, row !== undefined || isEmpty(others)),
      stood: row === undefined || state === undefined || state === row.payState,
    }
  })
}

export function applyReductionEvents(
  rows: ReadonlyMap<string, ReduceRow>,
  events: readonly LiveEvent[],
  filters: ReductionFilters,
  gone: string,
): Applied {
  return apply(rows, events, gone, (event, row) => {
    const { reduceId, orderId, state, cause, reduceAmount, validUntil } = event.data as DataOfEvent<
      typeof REDUCTION_CHANGED
    >
    const { state: wanted, orderId: order, reduceId: reduction, toDecide, ...others } = filters
    const stands = (one: string) =>
      (wanted === undefined || wanted === one) && (toDecide !== true || one === 'pending')
    const known = [
      stands(state),
      order === undefined || order === orderId,
      reduction === undefined || reduction === reduceId,
    ]
    // only the server knows whether the viewer may decide a new row
    const restFits = row !== undefined || (isEmpty(others) && toDecide !== true)
    return {
      id: reduceId,
      fields: { state: state as ReduceRow['state'], cause, reduceAmount, validUntil },
      fits: fitsOf(known, restFits),
      stood: row === undefined || stands(row.state),
    }
  })
}

export function applyProofEvents(
  rows: ReadonlyMap<string, ProofRow>,
  events: readonly LiveEvent[],
  filters: ProofFilters,
  gone: string,
): Applied {
  const wanted = stateOf(filters)
  const applied = apply(
    rows,
    events.filter(({ type }) => type === PROOF_CHANGED.type),
    gone,
    (event, row) => {
      const { proofId, orderId, state } = event.data as DataOfEvent<typeof PROOF_CHANGED>
      const { state: _state, orderId: order, proofId: proof, ...others } = filters
      const known = [
        wanted === undefined || wanted === state,
        order === undefined || order === orderId,
        proof === undefined || proof === proofId,
      ]
      return {
        id: proofId,
        fields: { state: state as ProofRow['state'] },
        fits: fitsOf(known, row !== undefined || isEmpty(others)),
        stood: row === undefined || wanted === undefined || wanted === row.state,
      }
    },
  )
  const paid = new Set(
    events.flatMap(({ type, data }) => (type === REPAYMENT_CHANGED.type ? [data.orderId] : [])),
  )
  return {
    ...applied,
    needsRefetch:
      applied.needsRefetch ||
      [...rows.values()].some((row) => row.state === 'pending' && paid.has(row.orderId)),
  }
}

/**
 * A decided write-off is read again, unless the list holds pending ones only. A launched one is
 * known by its payment: it is counted by the payment's id until the server has placed it.
 */
export function applyWriteOffEvents(
  rows: ReadonlyMap<string, WriteOffRow>,
  events: readonly LiveEvent[],
  filters: WriteOffFilters,
  gone: string,
): Applied {
  const byRecord = new Map([...rows.values()].map((row) => [row.recordId, row]))
  const changes: LiveChange[] = []
  const read = new Set<string>()
  let needsRefetch = false
  const answered = ({ writeOffId, state }: WriteOffRow) => {
    if (filters.state !== 'pending') read.add(writeOffId)
    else if (state === 'pending') changes.push({ kind: 'leave', id: writeOffId, reason: gone })
  }
  for (const event of events) {
    if (event.type === WRITEOFF_DONE.type) {
      const row = rows.get((event.data as DataOfEvent<typeof WRITEOFF_DONE>).writeOffId)
      if (row !== undefined) answered(row)
      else if (filters.state !== 'pending') needsRefetch = true
      continue
    }
    const { recordId, orderId, payState, source } = event.data as DataOfEvent<
      typeof REPAYMENT_CHANGED
    >
    const row = byRecord.get(recordId)
    if (row?.state === 'pending' && payState !== 'inProgress') answered(row)
    if (
      row !== undefined ||
      source !== 'writeOff' ||
      payState !== 'inProgress' ||
      event.version !== 1
    )
      continue
    const { state, orderId: order, ...others } = filters
    const fits = fitsOf(
      [state === undefined || state === 'pending', order === undefined || order === orderId],
      isEmpty(others),
    )
    if (fits === true) changes.push({ kind: 'new', id: recordId })
    if (fits !== false) needsRefetch = true
  }
  return { changes, read, needsRefetch }
}

function apply<Row extends { version: number }>(
  given: ReadonlyMap<string, Row>,
  events: readonly LiveEvent[],
  gone: string,
  applyOne: (event: LiveEvent, row: Row | undefined) => RowChange<Row>,
): Applied {
  const rows = new Map(given)
  let changes: LiveChange[] = []
  const read = new Set<string>()
  let needsRefetch = false
  for (const event of events) {
    const version = event.version ?? 0
    const { id } = applyOne(event, undefined)
    const row = rows.get(id)
    const { fields, fits, stood } = applyOne(event, row)
    if (row === undefined) {
      // a row that is not on the page and existed before is assumed to stay where it was
      if (fits === true && version === 1) changes.push({ kind: 'new', id })
      if (fits !== false) needsRefetch = true
      continue
    }
    if (version <= row.version) continue
    rows.set(id, { ...row, ...fields, version })
    changes.push({ kind: 'patch', id, version, changes: { ...fields, version } })
    if (fits === false) {
      if (stood) changes.push({ kind: 'leave', id, version, reason: gone })
      read.delete(id)
      continue
    }
    read.add(id)
    if (stood) continue
    // it was leaving and matches again: only a new page removes a mark that is already shown
    changes = changes.filter((change) => change.kind !== 'leave' || change.id !== id)
    needsRefetch = true
  }
  return { changes, read, needsRefetch }
}

/**
 * One filter that does not match is enough. An event does not change what only the server compares
 * for a row that is shown.
 */
function fitsOf(known: readonly boolean[], restFits: boolean): boolean | null {
  return known.includes(false) ? false : restFits ? true : null
}

function inside(value: number, range: Range<number> | undefined): boolean {
  return (
    range === undefined ||
    ((range.from === undefined || value >= range.from) &&
      (range.to === undefined || value <= range.to))
  )
}

function isEmpty(filters: object): boolean {
  return Object.values(filters).every((value) => value === undefined)
}
