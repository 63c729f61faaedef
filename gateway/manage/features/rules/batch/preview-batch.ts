import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { istDayEnd, istMidnight } from '#shared/kernel/time.ts'
import { ordersNamedIn } from '#shared/repayments/order-ids.ts'
import type { previewBatch as previewCall } from '#shared/rules/batch-api.ts'
import {
  BATCH_LEFT_OUT,
  BATCH_PARAMS,
  BATCH_RUN_MOST,
  type BatchKind,
  type BatchLeftOut,
  type BatchParams,
} from '#shared/rules/batch-sets.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { sheetText } from '#gateway/manage/kernel/sheet-text.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import type { BatchCandidate, BatchType } from './batch-type.ts'

const EXAMPLES = 3
/** Maximum number of orders named under a reason. */
const NAMED = 50

type Left = Map<BatchLeftOut, string[]>

/** @throws Problem G-FILE */
export async function previewBatch(
  tx: CommandTx,
  batches: readonly BatchType[],
  { type, source, list = '', dayFrom, dayTo, productId, ...params }: InputOf<typeof previewCall>,
  files: readonly Upload[],
): Promise<DataOf<typeof previewCall>> {
  const batch = batchOf(batches, type)
  requireParams(type, params)
  const left: Left = new Map()
  const candidates =
    source === 'file'
      ? await named(tx, batch, params, [list, ...files.map(sheetText)].join('\n'), left)
      : await matching(tx, batch, params, { dayFrom, dayTo, productId }, left)
  for (const { orderId, why } of candidates) if (why !== null) leave(left, why, [orderId])
  const taken = candidates.filter(({ why }) => why === null)
  const excluded = BATCH_LEFT_OUT.flatMap((why) => {
    const ids = left.get(why) ?? []
    return ids.length === 0 ? [] : [{ why, n: ids.length, orderIds: ids.slice(0, NAMED) }]
  })
  tx.log({
    action: 'previewBatch',
    after: { type, source, count: taken.length, excluded: excluded.map(({ why, n }) => [why, n]) },
  })
  return {
    orderIds: taken.map(({ orderId }) => orderId),
    examples: taken
      .slice(0, EXAMPLES)
      .map(({ orderId, before, after }) => ({ orderId, before, after })),
    excluded,
  }
}

/** @throws Problem G422 for a type that this installation does not have */
export function batchOf(batches: readonly BatchType[], kind: string): BatchType {
  const batch = batches.find((one) => one.kind === kind)
  if (batch === undefined) throw new Problem(INVALID_FIELDS, {}, { fields: { type: 'unknown' } })
  return batch
}

/** What the type needs, and nothing else. @throws Problem G-FIELD */
export function requireParams(type: BatchKind, params: BatchParams): void {
  const ways = BATCH_PARAMS[type]
  const given = (Object.keys(params) as (keyof BatchParams)[]).filter(
    (name) => params[name] !== undefined,
  )
  const isWhole = (ways.length === 0 ? [[]] : ways).some(
    (way) => way.length === given.length && given.every((name) => way.includes(name)),
  )
  const missing = ways[0]?.find((name) => !given.includes(name)) ?? given[0] ?? 'type'
  if (!isWhole) throw new Problem(INVALID_FIELDS, {}, { fields: { [missing]: 'required' } })
}

async function named(
  tx: CommandTx,
  batch: BatchType,
  params: BatchParams,
  text: string,
  left: Left,
): Promise<BatchCandidate[]> {
  const { orderIds, repeated, unreadable } = ordersNamedIn(text)
  const taken = orderIds.slice(0, BATCH_RUN_MOST)
  const candidates = await batch.candidates(tx, staff(tx.actor), { orderIds: taken }, params)
  const known = new Set(candidates.map(({ orderId }) => orderId))
  leave(
    left,
    'unknown',
    taken.filter((id) => !known.has(id)),
  )
  leave(
    left,
    'unreadable',
    unreadable.map((word) => word.slice(0, 64)),
  )
  leave(left, 'repeated', repeated)
  leave(left, 'tooMany', orderIds.slice(BATCH_RUN_MOST))
  return candidates
}

async function matching(
  tx: CommandTx,
  batch: BatchType,
  params: BatchParams,
  {
    dayFrom,
    dayTo,
    productId,
  }: Pick<InputOf<typeof previewCall>, 'dayFrom' | 'dayTo' | 'productId'>,
  left: Left,
): Promise<BatchCandidate[]> {
  const found = await batch.candidates(
    tx,
    staff(tx.actor),
    {
      from: dayFrom === undefined ? null : istMidnight(dayFrom).toISOString(),
      to: dayTo === undefined ? null : istDayEnd(dayTo).toISOString(),
      productId: productId ?? null,
      most: BATCH_RUN_MOST + NAMED,
    },
    params,
  )
  const taken = found.filter(({ why }) => why === null).slice(0, BATCH_RUN_MOST)
  const isTaken = new Set(taken.map(({ orderId }) => orderId))
  leave(
    left,
    'tooMany',
    found
      .filter(({ why, orderId }) => why === null && !isTaken.has(orderId))
      .map(({ orderId }) => orderId),
  )
  return [...taken, ...found.filter(({ why }) => why !== null)]
}

function leave(left: Left, why: BatchLeftOut, orderIds: readonly string[]): void {
  left.set(why, [...(left.get(why) ?? []), ...orderIds])
}
