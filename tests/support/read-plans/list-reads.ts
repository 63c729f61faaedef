/**
 * Every read of every list, from its contract: as it opens, with each of its filters, and by each
 * of its columns in both directions (a column that is no sort key is refused, and left out).
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { arbitraryOf, type Schema } from '#tests/support/fuzz/arbitrary-of.ts'

export interface ListRead {
  endpoint: Endpoint
  input: Readonly<Record<string, unknown>>
  /** `GET /order/list by status`. */
  name: string
  isFilter: boolean
  /** May be refused, because the field is none to sort by. */
  isSort: boolean
}

/** Values that exist in a book, by the name of the filter. */
export type KnownValues = Readonly<Record<string, unknown>>

const PAGING = new Set(['pageNum', 'pageSize', 'sort'])

export function isList({ audit, data }: Endpoint): boolean {
  const { rows, total } = (data as Schema).properties ?? {}
  return audit === undefined && rows?.type === 'array' && total !== undefined
}

/** Whether a call reads and can be made without naming a record. */
export function isPlainRead({ audit, input, data, access, method }: Endpoint): boolean {
  return (
    audit === undefined &&
    method === 'GET' &&
    (Array.isArray(access) || access === 'any') &&
    (data as Schema).type === 'object' &&
    ((input as Schema).required ?? []).length === 0
  )
}

export function readsOf(endpoint: Endpoint, known: KnownValues): ListRead[] {
  const name = `${endpoint.method} ${endpoint.path}`
  const { properties = {}, required = [] } = endpoint.input as Schema
  const values = (field: string): unknown[] => valuesOf(field, properties[field] ?? {}, known)
  // a tab or a segment that must be named: each of them is a list of its own
  const [first, ...others] = required
  const rest = Object.fromEntries(others.map((field) => [field, values(field)[0]]))
  const opened: { input: Record<string, unknown>; title: string }[] =
    first === undefined
      ? [{ input: {}, title: name }]
      : (properties[first]?.enum ?? values(first)).map((value) => ({
          input: { ...rest, [first]: value },
          title: `${name} ${String(value)}`,
        }))
  const row = (endpoint.data as Schema).properties?.rows?.items ?? {}
  return opened.flatMap(({ input, title }) => [
    { endpoint, input, name: title, isFilter: false, isSort: false },
    ...Object.keys(properties)
      .filter((field) => !PAGING.has(field) && !required.includes(field))
      .flatMap((field) =>
        values(field).map((value) => ({
          endpoint,
          input: { ...input, [field]: value },
          name: `${title} with ${field}=${String(value)}`,
          isFilter: true,
          isSort: false,
        })),
      ),
    ...('sort' in properties ? Object.keys(row.properties ?? {}) : []).flatMap((field) =>
      ['asc', 'desc'].map((direction) => ({
        endpoint,
        input: { ...input, sort: `${field}:${direction}` },
        name: `${title} sorted by ${field}:${direction}`,
        isFilter: false,
        isSort: true,
      })),
    ),
  ])
}

function valuesOf(field: string, schema: Schema, known: KnownValues): unknown[] {
  // the first and the last of a closed set: one that is common, and one that is not
  if (schema.enum) return [...new Set([schema.enum[0], schema.enum.at(-1)])]
  if (schema.type === 'boolean') return [true, false]
  const value = known[`${field} ${schema.pattern}`] ?? known[field]
  // of a table that is empty here: an id that none has
  if (value === null) return ['NONE']
  if (value !== undefined) return [value]
  if (schema.type === 'integer') return [Math.max(schema.minimum ?? 0, 7)]
  // a value of its form that nothing has: how it is looked for is the same
  return fc.sample(arbitraryOf(schema, {}, field), { seed: 7, numRuns: 1 })
}

/** What does not depend on the book. */
const KNOWN: KnownValues = {
  amountFrom: 900_000,
  amountTo: 200_000,
  overdueFrom: 20,
  overdueTo: 5,
  attemptFrom: 2,
  channel: 1,
  userName: 'Rahul',
  name: 'Rahul',
  phone: '9876543210',
  pan: 'ABCDE1234F',
  account: '123456789',
  aadhaarLast4: '1234',
  utr: '412345678901',
  status: '30',
  outcome: 'limitFailed',
  refusalCode: 'ADM01',
  tags: 'reLoan',
  // a day after the newest copies began, so that a range holds a small part
  stageId: 'M1',
  contactResult: '3',
  willingness: '2',
  ptpState: 'open',
  paymentStatus: 'due',
  machineState: 'undecided',
  failReason: 'beneficiary',
  platformOrderNo: 'L1000',
  vendorOrderNo: 'V1000',
  transferType: 'IMPS',
  type: '1',
  progress: 'unprocessed',
  followState: 'notFollowed',
  handoverState: 'pending',
  level: '1',
  lastResult: '11',
  state: 'closed',
  language: 'en',
  number: '9',
  code: 'login',
  typeName: 'a',
  typeCode: 'feedbackType',
  title: 'a',
  roleMark: 'collector',
  nickname: 'a',
  jobNumber: 'E1',
  uniqueMark: 'manager',
  menu: 'order_list',
  action: 'test',
  target: 'L1',
  ip: '127.0.0.1',
  message: 'a',
  version: '1',
  launchBy: 'a',
  launcher: 'a',
  operatorName: 'a',
  startBy: 'a',
  officer: 'a',
  boundTo: 'a',
  vendorCode: 'sandbox',
  department: 'D101',
  class: 'outboxClean',
}

/** Ids of the middle of the book, persons who did the least, and days within it. */
export async function knownValues(db: Db): Promise<KnownValues> {
  const { rows } = await sql<{ known: Record<string, unknown> }>`
    select json_build_object(
      'orderId', (select o.id from loan_order o order by o.created_at offset 50 limit 1),
      'userId', (select c.id from customer c order by c.registered_at offset 50 limit 1),
      'reviewId', (select r.id from review r order by r.id limit 1),
      'planId', (select p.id from repay_plan p order by p.id limit 1),
      'recordId', (select r.id from repay_record r order by r.id limit 1),
      'reduceId', (select r.id from reduction r order by r.id limit 1),
      'proofId', (select p.id from repay_proof p order by p.id limit 1),
      'writeOffId', (select w.id from write_off w order by w.id limit 1),
      'caseId', (select c.id from collection_case c order by c.id limit 1),
      'feedbackId', (select f.id from feedback f order by f.id limit 1),
      'taskId', (select t.id from tele_task t order by t.id limit 1),
      'changeId', (select g.id from case_change g order by g.id limit 1),
      'batchId', (select j.id from job j where j.type like 'batch.%' limit 1),
      'productId', (select p.id from product p order by p.id limit 1),
      'appId', (select a.id from app a order by a.id limit 1),
      'channelId', (select c.id from channel c order by c.id limit 1),
      'merchantId', (select m.id from merchant m order by m.id limit 1),
      'roleId', (select g.id from sys_role g order by g.id limit 1),
      'parentId', (select d.id from sys_dict d order by d.id limit 1),
      'agencyId', (select a.id from agency a order by a.id limit 1),
      'departmentId', (select d.id from department d order by d.id limit 1),
      'groupId', (select t.id from team_group t order by t.id limit 1),
      'collectorId', (select k.user_id from collector k order by k.user_id limit 1),
      'reviewerId', (select r.reviewer_id from review r where r.reviewer_id is not null
        group by r.reviewer_id order by count(*), r.reviewer_id limit 1),
      'processorId', (select f.processor_id from feedback f where f.processor_id is not null
        group by f.processor_id order by count(*), f.processor_id limit 1),
      'operatorId', (select u.id from sys_user u where u.account = 'manager'),
      'assigneeId', (select t.assignee_id from tele_task t where t.assignee_id is not null
        group by t.assignee_id order by count(*), t.assignee_id limit 1),
      'fromUserId', (select k.user_id from collector k order by k.user_id limit 1),
      'toUserId', (select k.user_id from collector k order by k.user_id limit 1),
      'newest', (select max(o.created_at) from loan_order o)) as known`.execute(db)
  const { newest, ...ids } = (rows[0] as { known: Record<string, unknown> }).known
  return { ...KNOWN, ...ids, newest }
}

/** Names of ranges: `createTimeFrom`, `dueTimeTo`, … get the newest week of the book. */
export function withRanges(known: KnownValues, endpoints: readonly Endpoint[]): KnownValues {
  const newest = new Date(String(known.newest)).getTime()
  const week = new Date(newest - 7 * 86_400_000).toISOString()
  const now = new Date(newest).toISOString()
  const ranges: Record<string, string> = {}
  for (const { input } of endpoints)
    for (const [field, { pattern, type }] of Object.entries((input as Schema).properties ?? {})) {
      if (type !== 'string' || pattern === undefined || !/(From|To|Start)$/.test(field)) continue
      const instant = /From$|Start$/.test(field) ? week : now
      ranges[`${field} ${pattern}`] = pattern.includes('T(?:') ? instant : instant.slice(0, 10)
    }
  return { ...known, ...ranges }
}
