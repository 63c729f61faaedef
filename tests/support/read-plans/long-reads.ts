/** Asks for every list in every way, and collects what is read at length. */
import type { Envelope } from '#shared/kernel/problem.ts'
import type { Floor } from '#tests/support/manage.ts'
import {
  isList,
  isPlainRead,
  knownValues,
  type ListRead,
  readsOf,
  withRanges,
} from './list-reads.ts'
import { logOf, MOST_ROWS, recorderOf, type TableRead, tableReads } from './plans.ts'
import { BOUNDED } from './tables.ts'

export interface LongRead {
  /** `GET /order/list with status=30`, `GET /order/list for reviewer`. */
  name: string
  table: string
  how: string
}

/** Fewer rows in a table of a test are too few to see how it is read. */
const FEW_ROWS = 5_000

/**
 * @param accounts one of each scope; the first reads with every filter and by every column in both
 *   directions, the others as a list opens and by its sort keys in one direction
 * @throws Error when a list refuses to be read in any way
 */
export async function longReadsOf(
  floor: Floor,
  accounts: readonly string[],
): Promise<{ found: LongRead[]; asked: ReadonlySet<string> }> {
  const { database, manage } = floor
  const known = withRanges(await knownValues(database.kysely), manage.endpoints)
  const sizes = await rowsOf(floor)
  const recorder = recorderOf(database)
  const found = new Map<string, LongRead>()
  const asked = new Set<string>()
  const looked = new Set<string>()
  const refusedSorts = new Set<string>()
  const client = await database.pool.connect()
  try {
    for (const [n, account] of accounts.entries()) {
      const isFirst = n === 0
      const person = await floor.signIn(account)
      for (const endpoint of manage.endpoints) {
        let refusal = ''
        let isAnswered = false
        for (const read of readsFor(endpoint, known).filter(
          ({ isFilter, isSort, name }) =>
            isFirst ||
            (!isFilter && !refusedSorts.has(name) && !(isSort && name.endsWith(':desc'))),
        )) {
          let answer: Envelope<unknown> = { code: 200, msg: '', data: null }
          const statements = await recorder.during(async () => {
            answer = (await person.send(endpoint, read.input)).json<Envelope<unknown>>()
          })
          if (answer.code === 403) break
          if (answer.code !== 200) {
            if (read.isSort) refusedSorts.add(read.name)
            else refusal = `${read.name} is refused to ${account}: ${answer.msg}`
            continue
          }
          isAnswered = true
          const named = `${read.name}${isFirst ? '' : ` for ${account}`}`
          asked.add(named)
          for (const statement of statements) {
            const key = statement.text + JSON.stringify(statement.values)
            if (looked.has(key)) continue
            looked.add(key)
            for (const one of await tableReads(client, statement)) {
              const how = faultOf(one, sizes)
              if (how === null) continue
              // that a table is thin is said once a list
              const name = (sizes.get(one.table) ?? 0) < FEW_ROWS ? endpoint.path : named
              found.set(`${name} ${one.table}`, { name, table: one.table, how })
            }
          }
        }
        // some need one of two filters, so one refused read says nothing; a unit may lie out of a scope
        if (isFirst && refusal !== '' && !isAnswered) throw new Error(refusal)
      }
    }
  } finally {
    client.release()
  }
  return { found: [...found.values()], asked }
}

function readsFor(endpoint: ListRead['endpoint'], known: Record<string, unknown>): ListRead[] {
  if (isList(endpoint)) return readsOf(endpoint, known)
  const name = `${endpoint.method} ${endpoint.path}`
  return isPlainRead(endpoint) ? [{ endpoint, input: {}, name, isFilter: true, isSort: false }] : []
}

/** @returns why a read is too long; null for one that is not */
function faultOf(
  { table, rows, isScan, how }: TableRead,
  sizes: Map<string, number>,
): string | null {
  const size = sizes.get(table)
  // of a function or a view of the server
  if (size === undefined || table in BOUNDED) return null
  if (size < FEW_ROWS)
    return (
      `${table} has ${size} rows here, too few to see how it is read: give it a row in few-rows.ts, ` +
      'take it from NOT_LISTED, or name it in BOUNDED (tables.ts) with the reason'
    )
  // a scan that stops at the cap of the total does not grow
  return rows > MOST_ROWS || (isScan && rows >= size * 0.99) ? how : null
}

async function rowsOf({ database }: Floor): Promise<Map<string, number>> {
  const { rows } = await database.pool.query<{ name: string; n: number }>(
    `select t.relname as name, greatest(t.reltuples, 0)::int as n from pg_class t
     where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'`,
  )
  const sizes = new Map<string, number>()
  for (const { name, n } of rows) sizes.set(logOf(name), (sizes.get(logOf(name)) ?? 0) + n)
  return sizes
}
