import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { Page } from '#shared/kernel/page.ts'
import type { listTables } from '#shared/rules/tables/table-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { filterClauses, notNull } from '#gateway/manage/kernel/list-parts.ts'
import { findRows } from '../versions/version-store.ts'
import { TABLE, type TableRow } from './table-kind.ts'

const SORTS = { order: notNull('v.sort'), tableId: notNull('d.id') }

export function findTables(db: Db, input: InputOf<typeof listTables>): Promise<Page<TableRow>> {
  const { all, add } = filterClauses()
  add(input.name, (name) => sql`strpos(lower(v.name), lower(${name}::text)) > 0`)
  add(input.status, (status) => sql`d.status = ${status}`)
  return findRows(db, TABLE, input, { where: all, sorts: SORTS })
}
