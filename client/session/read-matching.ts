/** Rows for an action on all that a list's filters match (client/ui useGridSelection): the calls take ids, so the rows are read first. */
import type { GridQuery } from '#client/ui/useLiveRows.ts'
import { BULK_MAX, type Page } from '#shared/kernel/page.ts'
import { call } from './call.ts'

const READ_AT_ONCE = 200
/** Rows move between pages while they are read; who was passed over is found by reading again. */
const MOST_READINGS = 3

/** @throws CallError */
export async function readMatching<Row>(
  { source }: Pick<GridQuery<Row>, 'source'>,
  idOf: (row: Row) => string,
): Promise<readonly Row[]> {
  if (source === undefined) return []
  const rows = new Map<string, Row>()
  for (let reading = 0; reading < MOST_READINGS; reading += 1) {
    let total = 0
    for (let pageNum = 1; rows.size < BULK_MAX; pageNum += 1) {
      // a list's answer is a page of its rows
      const page = (await call(source.endpoint, {
        ...source.input,
        pageNum,
        pageSize: READ_AT_ONCE,
      })) as Page<Row>
      for (const row of page.rows) rows.set(idOf(row), row)
      total = page.total
      if (page.rows.length < READ_AT_ONCE) break
    }
    if (rows.size >= total) break
  }
  return [...rows.values()].slice(0, BULK_MAX)
}
