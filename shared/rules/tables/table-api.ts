/** Decision tables for limits and prices, their versions, a test on one application, and JDM files. */
import Type from 'typebox'
import { ConditionSchema } from '#shared/conditions/condition.ts'
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'
import {
  endpoint,
  Id,
  MapOf,
  Nothing,
  Nullable,
  OneOf,
  Text,
  Version,
} from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { Facts, TestCase } from '../case-api.ts'
import { RULE_STATES, VERSION_STATES } from '../rule-sets.ts'
import { StatusChange, VersionedRow } from '../versioned-api.ts'
import { TableSchema } from './decision-table.ts'

const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const bool = Type.Boolean()
const strict = { additionalProperties: false }
const menu = 'rule_engine'
const VIEW = ['rule_engine:view'] as const

/** Fields of a version. */
const VersionFields = {
  name: Text(1, 80),
  /** Tables are judged one after the other, the lowest first. */
  order: Type.Integer({ minimum: 1, maximum: 999 }),
  description: Nullable(Text(0, 300)),
  table: TableSchema(),
}
const Written = { ...VersionFields, description: Type.Optional(VersionFields.description) }

export const TableRow = Type.Object({
  tableId: text,
  ...VersionFields,
  ...VersionedRow,
  rowCount: int,
})

export const listTables = endpoint({
  method: 'GET',
  path: '/rule/table/list',
  access: VIEW,
  menu,
  input: ListInput({
    name: Type.Optional(Text(1, 80)),
    status: Type.Optional(OneOf(RULE_STATES)),
  }),
  data: ListData(TableRow),
  summary: 'Decision tables for limits and prices in the order they are judged',
})

export const TableVersion = Type.Object({
  versionNo: int,
  ...VersionFields,
  state: OneOf(VERSION_STATES),
  createBy: text,
  createTime: text,
  enableBy: maybe,
  enableTime: maybe,
})

export const tableDetail = endpoint({
  method: 'GET',
  path: '/rule/table/detail',
  access: VIEW,
  menu,
  input: Type.Object({ tableId: Id() }),
  /** The newest first. */
  data: Type.Object({
    table: TableRow,
    versions: Type.Array(TableVersion),
    cases: Type.Array(TestCase),
  }),
  summary: 'A decision table with all its versions and test cases',
})

const Saved = Type.Object({ tableId: text, versionNo: int })

export const addTable = endpoint({
  method: 'POST',
  path: '/rule/table/add',
  access: ['rule_engine:add'],
  menu,
  input: Type.Object(Written, strict),
  data: Saved,
  audit: 'addTable',
  summary: 'Adds a decision table as a draft',
})

export const editTable = endpoint({
  method: 'POST',
  path: '/rule/table/edit',
  access: ['rule_engine:edit'],
  menu,
  input: Type.Object({ tableId: Id(), version: Version(), ...Written }, strict),
  data: Saved,
  audit: 'editTable',
  summary: 'Adds a new draft version of a decision table; versions are never changed',
})

export const setTableStatus = endpoint({
  method: 'POST',
  path: '/rule/table/status',
  access: ['rule_engine:status'],
  menu,
  input: Type.Object({ tableId: Id(), ...StatusChange }, strict),
  data: Type.Object({ tableId: text, approvalId: maybe }),
  audit: 'setTableStatus',
  summary: 'Requests approval to enable a version of a table; disables a table at once',
})

export const deleteTable = endpoint({
  method: 'DELETE',
  path: '/rule/table/delete',
  access: ['rule_engine:delete'],
  menu,
  input: Type.Object({ tableId: Id(), version: Version() }),
  data: Nothing(),
  audit: 'deleteTable',
  summary: 'Deletes a decision table that was never in force',
})

export const testTable = endpoint({
  method: 'POST',
  path: '/rule/table/test',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object(
    {
      tableId: Id(),
      versionNo: Type.Optional(Version()),
      orderId: Type.Optional(Id()),
      userId: Type.Optional(Id()),
    },
    strict,
  ),
  data: Type.Object({
    versionNo: int,
    orderId: text,
    /** Only those that the table reads. */
    facts: Facts,
    table: TableSchema(),
    /** From 0; null: no row fits, or it is unknown. */
    row: Nullable(int),
    open: Nullable(Type.Object({ row: int, column: int, cause: OneOf(UNKNOWN_CAUSES) })),
    /** Of each row that was looked at, whether its cells hold; null: not known. */
    cells: Type.Array(Type.Array(Nullable(bool))),
    /** In paise and basis points; null: not given. Before and after this table. */
    before: MapOf(Nullable(Type.Number())),
    after: MapOf(Nullable(Type.Number())),
  }),
  passive: true,
  summary: 'Which row of a table one application hits and what it gives; nothing is stored',
})

/** Characters of a JDM file. */
export const JDM_MOST = 200_000

export const ruleFile = endpoint({
  method: 'GET',
  path: '/rule/file',
  access: VIEW,
  menu,
  input: Type.Object({
    /** Of a rule or of a table. */
    id: Id(),
    versionNo: Version(),
  }),
  data: Type.Object({ fileName: text, content: text }),
  summary: 'A version of a rule or a table as a JDM file',
})

export const readRuleFile = endpoint({
  method: 'POST',
  path: '/rule/file/read',
  access: ['rule_engine:edit'],
  menu,
  input: Type.Object({ content: Type.String({ minLength: 2, maxLength: JDM_MOST }) }, strict),
  data: Type.Union([
    Type.Object({ kind: Type.Literal('condition'), expression: ConditionSchema() }),
    Type.Object({ kind: Type.Literal('table'), name: text, table: TableSchema() }),
  ]),
  passive: true,
  summary: 'Reads a JDM file for a new draft; nothing is stored',
})
