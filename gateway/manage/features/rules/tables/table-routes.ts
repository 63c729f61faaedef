import type { FastifyInstance } from 'fastify'
import * as api from '#shared/rules/tables/table-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { RuleFacts } from '../book/test-rule.ts'
import { setTableStatus } from './enable-table.ts'
import { readRuleFile, ruleFile } from './jdm-file.ts'
import { addTable, deleteTable, editTable } from './save-table.ts'
import { findTables, readTable, readTableVersions } from './table-store.ts'
import { testTable } from './test-table.ts'

export function tableRoutes(
  app: FastifyInstance,
  context: AppContext,
  facts: readonly RuleFacts[],
): void {
  serveQuery(app, context, api.listTables, ({ db }, input) => findTables(db, input))
  serveQuery(app, context, api.tableDetail, async ({ db }, { tableId }) => ({
    table: await readTable(db, tableId),
    versions: await readTableVersions(db, tableId),
  }))
  serveQuery(app, context, api.testTable, (_, input) => testTable(context, facts, input))
  serveQuery(app, context, api.ruleFile, ({ db }, input) => ruleFile(db, input))
  serveQuery(app, context, api.readRuleFile, async (_, input) => readRuleFile(input))

  serveCommand(app, context, api.addTable, addTable)
  serveCommand(app, context, api.editTable, editTable)
  serveCommand(app, context, api.setTableStatus, setTableStatus)
  serveCommand(app, context, api.deleteTable, deleteTable)
}
