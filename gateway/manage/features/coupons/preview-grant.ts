import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type {
  grantTemplate as templateCall,
  previewGrant as call,
} from '#shared/coupons/coupons-api.ts'
import { GRANT_MOST } from '#shared/coupons/coupon-sets.ts'
import { idsInText } from '#shared/kernel/ids-in-text.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { sheetText } from '#gateway/manage/kernel/sheet-text.ts'
import type { Upload } from '#gateway/manage/kernel/uploads.ts'
import { customerInScope } from '#gateway/manage/features/customers/public.ts'
import {
  CSV_MIME,
  csvFile,
  csvLine,
  XLSX_MIME,
  xlsxFile,
  xlsxLine,
} from '#gateway/manage/features/exports/public.ts'
import { findCoupon } from './coupon-queries.ts'
import { hasUnused } from './coupon-store.ts'

/** Maximum number of excluded customers in an answer. */
const NAMED = 200
type Excluded = DataOf<typeof call>['excluded'][number]

/**
 * Reads a pasted list, a sheet, or both, and answers who of it would be granted the coupon. Nothing is
 * stored; the grant takes the ids that are left.
 * @throws Problem G404, G-FILE
 */
export async function previewGrant(
  tx: CommandTx,
  { couponId, list = '' }: InputOf<typeof call>,
  files: readonly Upload[],
): Promise<DataOf<typeof call>> {
  const coupon = await findCoupon(tx.db, couponId)
  if (!coupon) throw new Problem(NOT_FOUND)
  const { ids, repeated, unreadable } = idsInText([list, ...files.map(sheetText)].join('\n'), 'C')
  const looked = ids.slice(0, GRANT_MOST)
  const { rows } = await sql<{ id: string; blacklisted: boolean; has_unused: boolean }>`
    select c.id, c.blacklisted, ${hasUnused('c.id', coupon.preferentialType)} as has_unused
    from customer c where c.id = any(${looked}::text[]) and ${customerInScope(staff(tx.actor))}`.execute(
    tx.db,
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  const why = (ids: readonly string[], reason: Excluded['why']): Excluded[] =>
    ids.map((userId) => ({ userId: userId.slice(0, 64), why: reason }))
  const whyOf = (userId: string): Excluded['why'] | null => {
    const row = known.get(userId)
    if (!row) return 'unknown'
    if (row.blacklisted) return 'blacklisted'
    return row.has_unused ? 'hasUnused' : null
  }
  const included = looked.filter((userId) => whyOf(userId) === null)
  const excluded = [
    ...looked.flatMap((userId): Excluded[] => {
      const reason = whyOf(userId)
      return reason === null ? [] : [{ userId, why: reason }]
    }),
    ...why(unreadable, 'unreadable'),
    ...why(repeated, 'repeated'),
    ...why(ids.slice(GRANT_MOST), 'tooMany'),
  ]
  tx.log({
    action: 'previewGrant',
    targetKind: 'coupon',
    targetId: couponId,
    after: { count: included.length, excluded: excluded.length },
  })
  const { discountAmount, budget, committed } = coupon
  return {
    userIds: included,
    worth: discountAmount === null ? null : discountAmount * included.length,
    left: budget === null ? null : budget - committed,
    excluded: excluded.slice(0, NAMED),
    excludedCount: excluded.length,
  }
}

const NAME = 'coupon-grant'

/** One column, with its header in the reader's language. */
export function grantTemplate({
  format = 'xlsx',
  title = 'User ID',
}: InputOf<typeof templateCall>): FileAnswer {
  const head = [{ text: title, kind: 'text' as const }]
  return format === 'csv'
    ? new FileAnswer(CSV_MIME, csvFile([csvLine(head)]), `${NAME}.csv`)
    : new FileAnswer(XLSX_MIME, xlsxFile(NAME, [xlsxLine(head, true)], [20]), `${NAME}.xlsx`)
}
