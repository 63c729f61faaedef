/**
 * A grown book in seconds: every row of a small demo book is copied by SQL, with the shares of
 * states, classes and missing values the demo has. Ids and references get the number of the copy, so
 * that each copy is a book of its own; times lie further back with each copy.
 */
import type { Database } from '#gateway/manage/db/client.ts'
import { BOUNDED, NOT_LISTED } from './tables.ts'

export interface BookSize {
  /** Rows of each table that lists are made of first of all: orders, their customers, reviews and plans. */
  main: number
  /** Rows of each other table that grows. */
  other: number
  /** Tables that no list reads, copied as often as orders. */
  also?: readonly string[]
  /** Between a copy and the one before. */
  minutesApart?: number
  /**
   * No row is copied more often than what it refers to, so that each copy is a whole book: as many
   * payments for a loan, cases for a customer and reductions for an order as in the demo. Without it
   * thin tables get their rows too, most of which refer to nothing: enough to see how a table is
   * read, and no measure of time, because joins leave them out.
   */
  isWhole?: boolean
}

const MAIN = new Set(['customer', 'loan_order', 'review', 'repay_plan', 'collection_case'])

/**
 * The demo is a book at one moment; of its copies, which are its past, only one in ten is still at
 * work. Column → its value in the others, of the copied row `t`.
 */
const PAST: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  collection_case: {
    state: `'closed'`,
    ptp_state: `replace(t.ptp_state, 'open', 'kept')`,
    end_reason: `coalesce(t.end_reason, 'repaid')`,
    ended_at: `coalesce(t.ended_at, t.updated_at) - copy.n * apart.time`,
  },
  feedback: {
    progress: `'finished'`,
    follow_state: `'caseClosed'`,
    finished_at: `coalesce(t.finished_at, t.created_at) - copy.n * apart.time`,
    processor_id: `coalesce(t.processor_id, (select u.id from sys_user u where u.account = 'manager'))`,
    handover_state: `replace(t.handover_state, 'pending', 'rejected')`,
    idle_until: 'null',
    live_until: 'null',
  },
  feedback_handover: { state: `replace(t.state, 'pending', 'rejected')` },
  // the few of a small demo may all be one collector's
  reduction: {
    launched_by: `(select u.id from sys_user u where u.account = 'manager')`,
    launched_by_name: `(select u.user_name from sys_user u where u.account = 'manager')`,
  },
  review: { handover_state: `replace(t.handover_state, 'pending', 'rejected')` },
  review_handover: { state: `replace(t.state, 'pending', 'rejected')` },
  stop_collection: { state: `'ended'` },
}

const MOMENT = 'timestamp with time zone'
/** Ends the name of a column that finds a person by a number: no two people have the same. */
const DIGEST = '_h'

/** What a divided log refers to without a key (`db/months.ts`), by the name of its column. */
const REFERENCES: Readonly<Record<string, string>> = {
  customer_id: 'customer',
  case_id: 'collection_case',
  plan_id: 'repay_plan',
}

interface TableFacts {
  name: string
  rows: number
  columns: { name: string; type: string; isKey: boolean; refersTo: string | null }[]
}

/** Copies the rows of all tables that grow and that lists read. */
export async function multiplyBook(
  database: Database,
  { main, other, also = [], minutesApart = 37, isWhole = false }: BookSize,
): Promise<void> {
  const tables = (await readTables(database)).filter(
    ({ name, rows }) =>
      rows > 0 && !(name in BOUNDED) && (also.includes(name) || !NOT_LISTED.has(name)),
  )
  const orders = tables.find(({ name }) => name === 'loan_order')?.rows ?? main
  const growing = new Set(tables.map(({ name }) => name))
  const client = await database.pool.connect()
  try {
    // references and triggers are those of the copied rows, and an index is built faster than kept
    await client.query('set session_replication_role = replica')
    // millions of copies are one statement
    await client.query('set statement_timeout = 0')
    await client.query(`set maintenance_work_mem = '256MB'`)
    const { rows: indexes } = await client.query<{ name: string; made: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
       from pg_index i join pg_class t on t.oid = i.indrelid
       where t.relnamespace = 'public'::regnamespace and t.relname = any($1)
         and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [[...growing]],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const copied = new Map(
      tables.map(({ name, rows }): [string, number] => {
        const wanted = MAIN.has(name) ? main / rows : other / rows
        return [name, Math.ceil(also.includes(name) ? main / orders : wanted) - 1]
      }),
    )
    if (isWhole) limitToTargets(tables, copied)
    for (const table of tables) {
      const copies = copied.get(table.name) ?? 0
      if (copies < 1) continue
      await client.query(`create temporary table source as select t.* from ${table.name} t`)
      await client.query(copyOf(table, copied), [copies, minutesApart])
      await client.query('drop table source')
    }
    for (const { made: only } of indexes) {
      // of a divided log, with its parts
      const made = only.replace(' ON ONLY ', ' ON ')
      // the copies repeat what is unique by an expression
      await client
        .query(made)
        .catch(() => client.query(made.replace(/^CREATE UNIQUE INDEX/, 'CREATE INDEX')))
    }
    await client.query('reset session_replication_role')
    // from every row of the largest table, so that two runs have the same plans
    await client.query('set default_statistics_target = 250')
    await client.query('vacuum analyze')
    await client.query('reset default_statistics_target')
    await client.query('reset maintenance_work_mem')
    await client.query('reset statement_timeout')
  } finally {
    client.release()
  }
}

/** Until nothing has more copies than what it refers to, also by way of others. */
function limitToTargets(tables: readonly TableFacts[], copied: Map<string, number>): void {
  for (const _ of tables)
    for (const { name, columns } of tables) {
      const targets = columns.flatMap((one) => copied.get(targetOf(one) ?? '') ?? [])
      copied.set(name, Math.min(copied.get(name) ?? 0, ...targets))
    }
}

function targetOf({ name, refersTo }: TableFacts['columns'][number]): string | null {
  return refersTo ?? REFERENCES[name] ?? null
}

function copyOf({ name, columns }: TableFacts, copied: ReadonlyMap<string, number>): string {
  const values = columns.map((one) => {
    const now = valueOf(one, copied)
    const past = PAST[name]?.[one.name]
    return past === undefined ? now : `case when copy.n % 10 = 0 then ${now} else ${past} end`
  })
  return `
    insert into ${name} (${columns.map((one) => one.name).join(', ')}) overriding system value
    select ${values.join(', ')} from source t cross join generate_series(1, $1::int) copy (n)
    cross join (select $2::int * interval '1 minute' as time) apart
    on conflict do nothing`
}

function valueOf(
  column: TableFacts['columns'][number],
  copied: ReadonlyMap<string, number>,
): string {
  const { name, type, isKey } = column
  const own = `t.${name}`
  const target = targetOf(column)
  const isVaried =
    target === null
      ? (isKey && type !== MOMENT) || (type === 'bytea' && name.endsWith(DIGEST))
      : copied.has(target)
  if (isVaried) return varied(own, type)
  return type === MOMENT ? `${own} - copy.n * apart.time` : own
}

function varied(column: string, type: string): string {
  switch (type) {
    case 'text':
      return `${column} || 'x' || copy.n`
    case 'bigint':
      return `${column} + copy.n * 1000000::bigint`
    case 'bytea':
      return `sha256(${column} || int4send(copy.n))`
    case 'uuid':
      return 'gen_random_uuid()'
    default:
      return column
  }
}

async function readTables(database: Database): Promise<TableFacts[]> {
  const { rows } = await database.pool.query<Omit<TableFacts, 'rows'>>(`
    select t.relname as name, json_agg(json_build_object(
      'name', quote_ident(a.attname),
      'type', format_type(a.atttypid, null),
      'isKey', exists (select from pg_index i join pg_attribute k on k.attrelid = i.indrelid
            and k.attnum = any(i.indkey)
          where i.indisunique and k.attname = a.attname and (i.indrelid = t.oid or i.indrelid in (
            select p.inhrelid from pg_inherits p where p.inhparent = t.oid)))
        and not exists (select from pg_constraint c where c.contype = 'c' and c.conrelid = t.oid
          and c.conkey = array[a.attnum] and pg_get_constraintdef(c.oid) like '%ANY (ARRAY%'),
      'refersTo', (select c.confrelid::regclass::text from pg_constraint c where c.contype = 'f'
        and c.conrelid = t.oid and c.conkey = array[a.attnum] limit 1)) order by a.attnum) as columns
    from pg_class t join pg_attribute a on a.attrelid = t.oid
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition and a.attnum > 0
      and not a.attisdropped and a.attgenerated = ''
    group by t.oid, t.relname order by t.relname`)
  const facts: TableFacts[] = []
  for (const table of rows) {
    const counted = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${table.name}`,
    )
    facts.push({ ...table, rows: counted.rows[0]?.n ?? 0 })
  }
  return facts
}
