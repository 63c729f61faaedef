import type { FastifyInstance } from 'fastify'
import * as cases from '#shared/rules/case-api.ts'
import * as api from '#shared/rules/tables/table-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { RuleFacts } from '../book/test-rule.ts'
import { setStatus } from '../versions/enable-version.ts'
import { addVersioned, deleteVersioned, editVersioned } from '../versions/save-version.ts'
import { readCases, saveCase } from '../versions/version-cases.ts'
import { readRow, readVersion, readVersions } from '../versions/version-store.ts'
import { readRuleFile, ruleFile } from './jdm-file.ts'
import { TABLE } from './table-kind.ts'
import { findTables } from './table-list.ts'
import { testTable } from './test-table.ts'

export function tableRoutes(
  app: FastifyInstance,
  context: AppContext,
  facts: readonly RuleFacts[],
): void {
  serveQuery(app, context, api.listTables, ({ db }, input) => findTables(db, input))
  serveQuery(app, context, api.tableDetail, async ({ db }, { tableId }) => {
    const table = await readRow(db, TABLE, tableId)
    const latest = await readVersion(db, TABLE, tableId, table.latestNo)
    return {
      table,
      versions: await readVersions(db, TABLE, tableId),
      cases: await readCases(db, TABLE, tableId, latest),
    }
  })
  serveQuery(app, context, api.testTable, (_, input) => testTable(context, facts, input))
  serveQuery(app, context, api.ruleFile, ({ db }, input) => ruleFile(db, input))
  serveQuery(app, context, api.readRuleFile, async (_, input) => readRuleFile(input))

  serveCommand(app, context, api.addTable, async (tx, fields) => {
    const { id: tableId, versionNo } = await addVersioned(tx, TABLE, fields)
    return { tableId, versionNo }
  })
  serveCommand(app, context, api.editTable, async (tx, { tableId: id, version, ...fields }) => {
    const { versionNo } = await editVersioned(tx, TABLE, { id, version }, fields)
    return { tableId: id, versionNo }
  })
  serveCommand(app, context, api.setTableStatus, async (tx, { tableId: id, ...change }) => ({
    tableId: id,
    approvalId: await setStatus(tx, TABLE, { id, ...change }),
  }))
  serveCommand(app, context, api.deleteTable, (tx, { tableId: id, version }) =>
    deleteVersioned(tx, TABLE, { id, version }),
  )
  serveCommand(app, context, cases.saveTableCase, (tx, { tableId, gives = null, ...fields }) =>
    saveCase(tx, TABLE, tableId, { ...fields, gives }),
  )
}
