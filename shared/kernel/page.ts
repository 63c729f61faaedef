import Type, { type TProperties, type TSchema } from 'typebox'
import { MapOf } from './endpoint.ts'

export const PAGE_SIZES = [20, 50, 100] as const
export const DEFAULT_PAGE_SIZE = 50
/** Totals are exact to this many rows, then capped. */
export const TOTAL_CAP = 10_000

/** Rows of one bulk call (parameter bulk.max), and how many a list reads for one. */
export const BULK_MAX = 5_000

/** A list has pages up to the row its total is counted to; a page behind it is refused (G-PAGE). */
export function lastPage(pageSize: number): number {
  return Math.ceil(TOTAL_CAP / pageSize)
}

/**
 * Input of a list call: page, sort and the filters named. `sort` is `field:asc` or `field:desc`,
 * several separated by commas.
 */
export const ListInput = <P extends TProperties>(filters: P) =>
  Type.Object({
    pageNum: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 10, maximum: 200, default: DEFAULT_PAGE_SIZE }),
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 120,
        pattern: '^[A-Za-z]+:(asc|desc)(,[A-Za-z]+:(asc|desc)){0,2}$',
      }),
    ),
    ...filters,
  })

export const ListData = <Row extends TSchema>(row: Row) =>
  Type.Object({
    rows: Type.Array(row),
    total: Type.Integer(),
    totalCapped: Type.Optional(Type.Boolean()),
    asOf: Type.String(),
  })

export interface Page<Row> {
  rows: Row[]
  total: number
  totalCapped?: boolean
  asOf: string
}

/**
 * What a bulk call answers: rows done in the call (up to `bulk.syncMax`), or the job that does
 * them.
 */
export const BulkData = () =>
  Type.Object({
    jobId: Type.Optional(Type.String()),
    ok: Type.Array(Type.String()),
    failed: Type.Array(
      Type.Object({
        id: Type.String(),
        code: Type.Integer(),
        msg: Type.String(),
        problem: Type.Optional(Type.String()),
        params: Type.Optional(MapOf(Type.Union([Type.String(), Type.Number()]))),
      }),
    ),
  })

export interface BulkResult {
  jobId?: string
  ok: string[]
  failed: {
    id: string
    code: number
    msg: string
    problem?: string
    params?: Record<string, string | number>
  }[]
}
