/** Reads all rows that match the filters of a list, for a bulk action: its calls take ids. */
import type { GridQuery } from '#client/ui/grid/use-live-rows.ts'
import { BULK_MAX, type Page } from '#shared/kernel/page.ts'
import { call } from '#client/session/call.ts'

const READ_AT_ONCE = 200
/** Rows move between pages while they are read; reading again finds the missed ones. */
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
      // The answer of a list is a page of its rows.
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
