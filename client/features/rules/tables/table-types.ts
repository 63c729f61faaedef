import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type {
  addTable,
  listTables,
  tableDetail,
  testTable,
} from '#shared/rules/tables/table-api.ts'

export type Table = DataOf<typeof listTables>['rows'][number]
export type TableFields = InputOf<typeof addTable>
export type TableVersion = DataOf<typeof tableDetail>['versions'][number]
export type TableTest = DataOf<typeof testTable>
