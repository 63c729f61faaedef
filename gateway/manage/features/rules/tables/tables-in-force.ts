/**
 * The tables in force, in the order they are judged. The engine determines which row is hit; the console
 * only adds what the engine does not know, that a value is missing: such a table is not evaluated.
 */
import { sql } from 'kysely'
import type { Facts, UnknownCause } from '#shared/conditions/evaluate-condition.ts'
import { type DecisionTable, TABLE_CATALOGUE } from '#shared/rules/tables/decision-table.ts'
import { evaluateTable } from '#shared/rules/tables/evaluate-table.ts'
import { NO_OFFER, type Offer, offerAfter, outputsOf } from '#shared/rules/tables/offer.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { engineFacts, type StoredGraph } from '../engine/rule-graph.ts'
import { RuleSetInvalid } from '../engine/rule-set-invalid.ts'
import { withLimit } from './with-limit.ts'
import { fromTableGraph, TABLE_NODE, toTableGraph } from './table-graph.ts'

export interface JudgingTable {
  tableId: string
  versionNo: number
  name: string
  table: DecisionTable
}

export interface TableJudgement {
  tableId: string
  versionNo: number
  name: string
  /** From 0; null: no row, or not evaluated. */
  row: number | null
  open: { row: number; column: number; cause: UnknownCause } | null
  /** After this table. */
  offer: Offer
}

export interface TableRunner {
  judge(
    facts: Facts,
  ): Promise<{ offer: Offer; tables: TableJudgement[]; facts: Record<string, unknown> }>
}

/** What changes when other tables are in force. */
export const TABLES_KEY = sql<string>`
  (select coalesce(string_agg(concat_ws(':', v.table_id, v.version_no), ',' order by v.sort, v.table_id), '')
  from decision_table_version v where v.state = 'enabled')`

/** @throws RuleSetInvalid naming a table that cannot be read */
export async function readTablesInForce(db: Db): Promise<JudgingTable[]> {
  const { rows } = await sql<Omit<JudgingTable, 'table'> & { content: StoredGraph }>`
    select v.table_id as "tableId", v.version_no as "versionNo", v.name, v.content
    from decision_table_version v where v.state = 'enabled' order by v.sort, v.table_id`.execute(db)
  return rows.map(({ content, ...table }) => ({ ...table, table: tableOf(table.tableId, content) }))
}

/** @throws RuleSetInvalid */
export function tableOf(tableId: string, content: StoredGraph): DecisionTable {
  const table = fromTableGraph(content)
  if (table === null) throw new RuleSetInvalid(`table ${tableId}: its graph is not a table`)
  return table
}

export async function tableRunner(tables: readonly JudgingTable[]): Promise<TableRunner> {
  // loaded on first use, so that start-up and installations with their own engine do not need it
  const { ZenEngine } = await import('@gorules/zen-engine')
  const engine = new ZenEngine()
  const decisions = tables.map(({ table, name }) =>
    engine.createDecision(Buffer.from(JSON.stringify(toTableGraph(table, name)))),
  )
  async function rowOf(place: number, facts: Facts): Promise<number | null> {
    const answer = (await decisions[place]?.evaluate(engineFacts(facts, TABLE_CATALOGUE), {
      trace: true,
    })) as { trace: Record<string, { traceData: { index: number } | null }> } | undefined
    return answer?.trace[TABLE_NODE]?.traceData?.index ?? null
  }
  return {
    async judge(given) {
      let facts: Record<string, unknown> = given
      let offer = NO_OFFER
      const judged: TableJudgement[] = []
      for (const [place, { tableId, versionNo, name, table }] of tables.entries()) {
        const { open } = evaluateTable(table, facts)
        const row = open === null ? await rowOf(place, facts) : null
        if (row !== null) offer = offerAfter(offer, outputsOf(table, row), facts)
        facts = withLimit(facts, offer.limit)
        judged.push({ tableId, versionNo, name, row, open, offer })
      }
      return { offer, tables: judged, facts }
    },
  }
}
