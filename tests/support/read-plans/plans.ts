/** The statements of a call, and how the database runs them. */
import type pg from 'pg'
import { TOTAL_CAP } from '#shared/kernel/page.ts'
import type { Database } from '#gateway/manage/db/client.ts'

export interface Statement {
  text: string
  values: unknown[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Filter?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

export interface TableRead {
  table: string
  /** Rows looked at, whether shown or not. */
  rows: number
  isScan: boolean
  how: string
}

/** A read that grows with the book looks at more rows than a total is counted to, and some more. */
export const MOST_ROWS = TOTAL_CAP * 1.25

interface Recorder {
  during(call: () => Promise<unknown>): Promise<Statement[]>
}

/** Collects the reading statements that a call sends. */
export function recorderOf({ pool }: Database): Recorder {
  let collected: Statement[] | null = null
  const known = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    const send = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const [first, second] = args
      const { text, values } =
        typeof first === 'string'
          ? { text: first, values: second }
          : (first as { text: string; values?: unknown })
      if (/^\s*(select|with)\b/i.test(text))
        collected?.push({ text, values: Array.isArray(values) ? values : [] })
      return send(...args)
    }) as pg.PoolClient['query'] // one signature for the seven of pg.Client.query
  })
  return {
    async during(call) {
      const statements: Statement[] = (collected = [])
      await call()
      collected = null
      return statements
    },
  }
}

/** The log of which a table is a part (`db/months.ts`), or the table itself. */
export function logOf(table: string): string {
  return table.replace(/_(?:\d{4}_\d{2}|before|unplaced)$/, '')
}

/** Runs a statement once more; @returns what it reads of which tables. */
export async function tableReads(
  client: pg.PoolClient,
  { text, values }: Statement,
): Promise<TableRead[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${text}`,
    values,
  )
  const reads: TableRead[] = []
  const look = (node: PlanNode): void => {
    const part = node['Relation Name']
    const table = part === undefined ? undefined : logOf(part)
    if (table !== undefined && node['Actual Loops'] > 0) {
      const each =
        node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)
      const index = node['Index Name'] === undefined ? '' : ` on ${node['Index Name']}`
      const filter = node.Filter === undefined ? '' : `, filter ${node.Filter}`
      const read = Math.round(each * node['Actual Loops'])
      reads.push({
        table,
        rows: read,
        isScan: node['Node Type'] === 'Seq Scan',
        how: `${node['Node Type']}${index} of ${table} looks at ${read} rows${filter}`,
      })
    }
    for (const below of node.Plans ?? []) look(below)
  }
  for (const row of rows) look(row['QUERY PLAN'][0].Plan)
  return reads
}
