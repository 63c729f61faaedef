/** The product's code tables as dictionaries, with labels from the console's own locale files. */
import { sql } from 'kysely'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { ORDER_STATUSES, orderStatusName } from '#shared/orders/order-statuses.ts'
import { CODE_TABLES, type CodeTable } from '#shared/system/code-tables.ts'
import type { generateDict as generateCall } from '#shared/system/dict-api.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { emitDictChange } from './dict-store.ts'
import { localeFile } from './locale-file.ts'

const TABLES: Readonly<Record<string, CodeTable>> = {
  order_status: {
    name: 'Loan order status',
    words: 'orders:status',
    codes: Object.fromEntries(
      ORDER_STATUSES.map((status) => [String(status), orderStatusName(status)]),
    ),
  },
  ...CODE_TABLES,
}

interface Entry {
  code: string
  labels: Record<string, string>
}

/**
 * `missing` adds absent codes and keeps changed labels; `overwrite` writes all labels again.
 * @throws Problem G-FIELD for an unknown table
 */
export async function generateDict(
  tx: CommandTx,
  { typeCodes, mode }: InputOf<typeof generateCall>,
): Promise<{ added: number; updated: number }> {
  if (typeCodes.some((code) => !Object.hasOwn(TABLES, code)))
    throw new Problem(INVALID_FIELDS, {}, { fields: { typeCodes: 'unknown' } })
  let added = 0
  let updated = 0
  for (const typeCode of [...typeCodes].toSorted()) {
    const table = TABLES[typeCode] as CodeTable
    const entries = await entriesOf(table)
    const { rows } = await sql<{ id: string }>`
      insert into sys_dict as d (type_name, code, sort, built_in)
        values (${table.name}, ${typeCode}, ${Object.keys(TABLES).indexOf(typeCode)}, true)
      on conflict (code) do update set built_in = true, updated_at = clock_timestamp() returning d.id`.execute(
      tx.db,
    )
    const dictId = (rows[0] as { id: string }).id
    const written = await sql<{ is_new: boolean }>`
      insert into sys_dict_detail as e (dict_id, code, labels, sort, built_in)
      select ${dictId}, x.code, x.labels, x.n, true
        from jsonb_to_recordset(${JSON.stringify(entries.map((entry, n) => ({ ...entry, n })))}::jsonb) as x
        (code text, labels jsonb, n int)
      on conflict (dict_id, code) do update
        set labels = excluded.labels, built_in = true, updated_at = clock_timestamp(),
        version = e.version + 1
      where ${mode === 'overwrite'} and (e.labels <> excluded.labels or not e.built_in)
      returning e.xmax = 0 as is_new`.execute(tx.db)
    added += written.rows.filter((row) => row.is_new).length
    updated += written.rows.filter((row) => !row.is_new).length
  }
  tx.log({
    action: 'generate',
    targetKind: 'dict',
    targetId: typeCodes.join(',').slice(0, 100),
    after: { mode, typeCodes, added, updated },
  })
  emitDictChange(tx, ...typeCodes)
  return { added, updated }
}

async function entriesOf({ words, codes }: CodeTable): Promise<Entry[]> {
  const at = words.indexOf(':')
  const sets = await Promise.all(
    LANGUAGES.map(
      async (language) =>
        [
          language,
          wordsUnder(await localeFile(language, words.slice(0, at)), words.slice(at + 1)),
        ] as const,
    ),
  )
  const english = sets.find(([language]) => language === 'en')?.[1] ?? {}
  return Object.entries(
    codes ?? Object.fromEntries(Object.keys(english).map((name) => [name, name])),
  ).flatMap(([code, name]) =>
    english[name] === undefined
      ? []
      : [
          {
            code,
            labels: Object.fromEntries(
              sets.flatMap(([language, set]) =>
                set[name] === undefined ? [] : [[language, set[name]]],
              ),
            ),
          },
        ],
  )
}

function wordsUnder(file: unknown, path: string): Record<string, string> {
  const found = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], file)
  return Object.fromEntries(
    Object.entries((found ?? {}) as Record<string, unknown>).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string',
    ),
  )
}
