/**
 * Direct downloads of up to `export.syncMax` rows: one call per address that lists name (`file` in
 * their contracts), with the lists' own filters. Read, masked, written, marked and logged like the
 * job.
 */
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import Type, { type TProperties, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { EXPORT_FORMATS, ExportColumn, showsPhones } from '#shared/exports/exports-api.ts'
import { TOO_MANY_AT_ONCE, TWO_EXPORTS_AT_ONCE } from '#shared/exports/exports-problems.ts'
import { endpoint, type Endpoint, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { withOpenPhones } from '#gateway/manage/features/customers/public.ts'
import { staff } from '#gateway/manage/kernel/actor.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { ExportableList, AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type Query, serveAfterReading } from '#gateway/manage/kernel/serve.ts'
import { FileAnswer } from '#gateway/manage/kernel/answer.ts'
import type { Column } from './export-cells.ts'
import { fileNameOf, fileOf, linesOf } from './export-file.ts'
import { type ExportInput, loggedFilters, underWay } from './queue-export.ts'
import { logOpened } from './log-opened.ts'
import { MOST_AT_ONCE, permittedList, permittedReveal } from './start-export.ts'

/** Call it after all lists are registered. */
export function directExportRoutes(app: FastifyInstance, context: AppContext): void {
  const reading = new Map<string, number>()
  const all = [...context.lists.values()]
  for (const path of new Set(
    all.flatMap(({ endpoint: { file } }) => (file === undefined ? [] : [file.path])),
  )) {
    // the list without a value of its own takes all remaining values
    const lists = all
      .filter(({ endpoint: { file } }) => file?.path === path)
      .toSorted(
        (a, b) =>
          Number(a.endpoint.file?.when === undefined) - Number(b.endpoint.file?.when === undefined),
      )
    serveAfterReading(
      app,
      context,
      callOf(path, lists),
      (query, input) => oneOfTwo(reading, query, () => read(query, lists, input as ExportRequest)),
      fileFor,
    )
  }
}

type ExportRequest = {
  columns?: string[]
  format?: ExportInput['format']
  title?: string
  reveal?: boolean
  revealReason?: string
} & Record<string, unknown>

interface Found {
  request: Pick<ExportInput, 'list' | 'filters' | 'columns' | 'format' | 'title'>
  code: string
  rows: unknown[]
  /** The reason for unmasked phones; undefined = masked. */
  opened: string | undefined
}

/**
 * @throws Problem G-FIELD for malformed columns, G403, G-SIZE above `export.syncMax` rows
 */
async function read(
  { actor, context }: Query,
  lists: readonly ExportableList[],
  input: ExportRequest,
): Promise<Found> {
  const chosen = lists.find(({ endpoint: { file } }) =>
    Object.entries(file?.when ?? {}).every(([name, values]) =>
      values.includes(String(input[name])),
    ),
  ) as ExportableList
  const own = new Set(Object.keys(chosen.endpoint.input.properties))
  const filters = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => own.has(name) && value !== undefined),
  ) as ExportInput['filters']
  const { columns: given, format = 'xlsx', title = chosen.endpoint.menu ?? '' } = input
  const request = {
    list: chosen.endpoint.path,
    filters,
    columns: columnsOf(given, rowFields(chosen.endpoint)),
    format,
    title,
  }
  const { list, code } = permittedList(context, actor, request)
  const { reveal = false, revealReason } = input
  if (reveal) {
    permittedReveal(actor, list, code)
    if (revealReason === undefined)
      throw new Problem(INVALID_FIELDS, {}, { fields: { revealReason: 'required' } })
  }
  const most = await context.parameters.int('export.syncMax')
  const { rows, total, isCapped } = await list.rows(actor, filters, most)
  if (isCapped || total > most) throw new Problem(TOO_MANY_AT_ONCE)
  return {
    request,
    code,
    rows: reveal ? await withOpenPhones(context.database.kysely, context.secrets, rows) : rows,
    opened: reveal ? revealReason : undefined,
  }
}

async function fileFor(
  tx: CommandTx,
  _: unknown,
  { request, code, rows, opened }: Found,
): Promise<FileAnswer> {
  const { userId } = staff(tx.actor)
  const { rows: by } = await sql<{ number: string; account: string; userName: string; at: string }>`
    select 'F' || nextval('file_id_seq') as number, u.account, u.user_name as "userName",
      clock_timestamp() as at from sys_user u where u.id = ${userId}`.execute(tx.db)
  // a logged-in person has an account
  const taken = by[0] as NonNullable<(typeof by)[0]>
  const { mime, bytes, sha256 } = fileOf(request, [linesOf(request, rows)], taken)
  const { list, format, columns, filters } = request
  if (opened !== undefined)
    await logOpened(
      tx,
      { code, reason: opened },
      { targetKind: 'file', targetId: taken.number, rows: rows.length },
    )
  tx.log({
    action: 'export',
    menu: code.slice(0, code.indexOf(':')),
    targetKind: 'file',
    targetId: taken.number,
    after: {
      list,
      format,
      columns: columns.length,
      filters: loggedFilters(filters),
      rows: rows.length,
      size: bytes.length,
      sha256: sha256.toString('hex'),
    },
  })
  return new FileAnswer(mime, bytes, fileNameOf(code, request, taken))
}

/** Counts export jobs too. @throws Problem E-TWO */
async function oneOfTwo<T>(
  reading: Map<string, number>,
  { db, actor: { userId } }: Query,
  run: () => Promise<T>,
): Promise<T> {
  const already = reading.get(userId) ?? 0
  reading.set(userId, already + 1)
  try {
    if (already + (await underWay(db, userId)) >= MOST_AT_ONCE)
      throw new Problem(TWO_EXPORTS_AT_ONCE)
    return await run()
  } finally {
    const left = (reading.get(userId) ?? 1) - 1
    if (left === 0) reading.delete(userId)
    else reading.set(userId, left)
  }
}

/** Longer values do not fit into a URL. */
const MOST_LETTERS = 8_000

/** The call at an address. Lists that share the address are distinguished by the value of a filter. */
function callOf(path: string, lists: readonly ExportableList[]): Endpoint {
  const filters: TProperties = {}
  for (const {
    endpoint: { input },
  } of lists)
    for (const [name, schema] of Object.entries(input.properties)) {
      if (name === 'pageNum' || name === 'pageSize') continue
      filters[name] = Type.Optional(
        Object.hasOwn(filters, name) && JSON.stringify(filters[name]) !== JSON.stringify(schema)
          ? Type.String({ maxLength: 400 })
          : schema,
      )
    }
  const named = lists.flatMap(({ endpoint: { file } }) => Object.entries(file?.when ?? {}))
  const choice = Object.fromEntries(
    named.map(([name]) => [
      name,
      OneOf(
        named.flatMap(([other, values]) => (other === name ? values : [])) as [string, ...string[]],
      ),
    ]),
  )
  return endpoint({
    method: 'GET',
    path,
    access: [
      ...new Set(
        lists.flatMap(({ endpoint: { exports = [] } }) => exports.map(({ code }) => code)),
      ),
    ] as [string, ...string[]],
    input: Type.Object({
      ...filters,
      ...(lists.some(({ endpoint: { file } }) => file?.when === undefined)
        ? Type.Partial(Type.Object(choice)).properties
        : choice),
      /**
       * Fields of the list's row, or each a JSON text with a column of POST /export/batch; absent:
       * all fields.
       */
      columns: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: MOST_LETTERS }), {
          minItems: 1,
          maxItems: 80,
        }),
      ),
      format: Type.Optional(OneOf(EXPORT_FORMATS)),
      title: Type.Optional(Text(1, 100)),
      ...(lists.some(({ endpoint: list }) => showsPhones(list))
        ? { reveal: Type.Optional(Type.Boolean()), revealReason: Type.Optional(Text(4, 200)) }
        : {}),
    }),
    // a file answer has no envelope
    data: Type.Null(),
    audit: 'export',
    summary: `A file at once: ${lists.map(({ endpoint: { path: list } }) => list).join(', ')}`,
  })
}

/** @throws TypeError for an answer that is not a list */
function rowFields({ path, data }: Endpoint): Record<string, TSchema> {
  const rows = Type.IsObject(data) ? data.properties.rows : undefined
  if (!Type.IsArray(rows) || !Type.IsObject(rows.items)) throw new TypeError(`${path} has no rows`)
  return rows.items.properties
}

const KINDS: Record<string, Column['kind']> = {
  integer: 'number',
  number: 'number',
  boolean: 'yesNo',
  array: 'list',
}
const columnCheck = Compile(ExportColumn)

/** @throws Problem G-FIELD */
function columnsOf(
  given: readonly string[] | undefined,
  fields: Record<string, TSchema>,
): Column[] {
  const sections =
    given?.flatMap((one) =>
      one.startsWith('{') ? [one] : one.split(',').map((name) => name.trim()),
    ) ?? Object.keys(fields)
  return sections.map((one) => {
    if (!one.startsWith('{')) {
      const schema: { type?: string } | undefined = fields[one]
      if (!Object.hasOwn(fields, one))
        throw new Problem(INVALID_FIELDS, {}, { fields: { columns: 'unknown' } })
      return { field: [one], title: one, kind: KINDS[schema?.type ?? ''] ?? 'text' }
    }
    const column = parsed(one)
    if (!columnCheck.Check(column))
      throw new Problem(INVALID_FIELDS, {}, { fields: { columns: 'unknown' } })
    return column
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
