/** A rule from its draft to the application it judges, through the calls of the people. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listChanges } from '#shared/access/changes-api.ts'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval, listApprovals } from '#shared/approvals/approvals-api.ts'
import type { Condition } from '#shared/conditions/condition.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { inboundApplication } from '#shared/orders/inbound-api.ts'
import { deleteRuleCase, saveRuleCase, saveTableCase } from '#shared/rules/case-api.ts'
import { orderDecision } from '#shared/rules/decision-api.ts'
import {
  addRule,
  addRuleAction,
  deleteRule,
  deleteRuleAction,
  editRule,
  editRuleAction,
  listRuleGroups,
  listRules,
  ruleDetail,
  saveRuleGroup,
  setRuleStatus,
  testRule,
} from '#shared/rules/rule-api.ts'
import type { DecisionTable } from '#shared/rules/tables/decision-table.ts'
import {
  addTable,
  listTables,
  readRuleFile,
  ruleFile,
  setTableStatus,
  tableDetail,
  testTable,
} from '#shared/rules/tables/table-api.ts'
import { machineReview } from '#gateway/manage/features/review/machine/machine-review-job.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let administrator: Person
let director: Person
let manager: Person
let app: Machine

beforeAll(async () => {
  floor = await testManage()
  ;[administrator, director, manager] = await Promise.all([
    floor.signIn('administrator'),
    floor.signIn('director'),
    floor.signIn('manager'),
  ])
  await makeProduct(floor)
  app = await machineOf(floor, ['application', 'machineReview'])
})
afterAll(() => floor.close())

const atMost = (amount: number): Condition => ({
  kind: 'all',
  of: [
    { field: 'orderNo', operator: 'is', value: 1 },
    { field: 'amount', operator: 'atLeast', value: amount },
  ],
})
const SAID: InputOf<typeof addRule> = {
  name: 'First loan of this size',
  type: 'limit',
  groupId: 'ADMISSION',
  priority: 5,
  mode: 'parallel',
  description: '',
  expression: atMost(100_000_000),
  actionId: 'REJECT',
  output: null,
  refusalCode: 'BIG01',
}
const rowOf = async (ruleId: string) => {
  const { rows } = await manager.call(listRules, { ruleId })
  const [row] = rows
  if (!row) throw new Error(`no rule ${ruleId}`)
  return row
}
const enable = async (ruleId: string) =>
  administrator.call(setRuleStatus, {
    ruleId,
    version: (await rowOf(ruleId)).version,
    status: 'enabled',
    reason: 'agreed in the risk meeting',
  })
const approve = (approvalId: string | null) =>
  director.call(decideApproval, { approvalId: approvalId ?? '', version: 1, result: 'approved' })
const problemOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Error) => / refused: \d+ (\S+) /.exec(error.message)?.[1] ?? error,
  )
async function judged(n: number): Promise<{ status: number; refusalCode: string | null }> {
  const { reviewId } = await app.call(inboundApplication, makeApplication(n))
  await machineReview.run(floor.context)
  await floor.settle()
  const { rows } = await sql<{ status: number; refusalCode: string | null }>`
    select o.status, o.refusal_code as "refusalCode"
    from review r join loan_order o on o.id = r.order_id
    where r.id = ${reviewId}`.execute(floor.database.kysely)
  return rows[0] as { status: number; refusalCode: string | null }
}

test('each standard rule is its own version 1, in the order of evaluation', async () => {
  const { rows, total } = await manager.call(listRules, { pageSize: 50 })
  expect(total).toBe(17)
  expect(rows.every((row) => row.versionNo === 1 && row.status === 'enabled')).toBe(true)
  expect(rows.slice(0, 4).map((row) => row.ruleId)).toEqual(['ADM01', 'ADM02', 'ADM03', 'CR01'])
})

test('a rule is written, its failing test case keeps it out, and a second person brings it into force', async () => {
  const { ruleId } = await administrator.call(addRule, SAID)
  const sample = await judged(41)
  expect(sample).toMatchObject({ status: 22 })
  await administrator.call(saveRuleCase, {
    ruleId,
    name: 'a first loan of 10,000',
    facts: { orderNo: 1, amount: 1_000_000 },
    expects: 'hit',
  })
  expect(await problemOf(enable(ruleId))).toBe('X-CASE')

  const { version } = await rowOf(ruleId)
  const fields = { ...SAID, expression: atMost(100) }
  expect(await administrator.call(editRule, { ruleId, version, ...fields })).toEqual({
    ruleId,
    versionNo: 2,
  })
  const { versions, cases } = await manager.call(ruleDetail, { ruleId })
  expect(versions.map((one) => [one.versionNo, one.expression])).toEqual([
    [2, atMost(100)],
    [1, atMost(100_000_000)],
  ])
  expect(cases).toMatchObject([{ expects: 'hit', outcome: 'hit' }])

  const { approvalId } = await enable(ruleId)
  expect(await problemOf(enable(ruleId))).toBe('A-OPEN')
  expect(await rowOf(ruleId)).toMatchObject({ status: 'draft', approval: { approvalId } })
  const { effect } = await director.call(approvalDetail, { approvalId: approvalId ?? '' })
  expect(effect).toMatchObject({ obstacle: null })
  expect(effect?.changes).toContainEqual({
    name: 'refusalCode',
    kind: 'text',
    before: null,
    after: 'BIG01',
  })
  expect((await judged(42)).status).toBe(22)
  const before = (await floor.events()).at(-1)?.seq ?? 0
  await approve(approvalId)
  expect((await floor.events(before)).map((event) => event.type)).toContain('rule.changed')

  expect(await judged(43)).toEqual({ status: 21, refusalCode: 'BIG01' })
  expect(await rowOf(ruleId)).toMatchObject({ status: 'enabled', versionNo: 2, hitCount7d: 1 })

  await administrator.call(setRuleStatus, {
    ruleId,
    version: (await rowOf(ruleId)).version,
    status: 'disabled',
    reason: 'refuses everybody',
  })
  expect((await judged(44)).status).toBe(22)
  const { version: last } = await rowOf(ruleId)
  expect(await problemOf(administrator.call(deleteRule, { ruleId, version: last }))).toBe('K-USED')
  expect((await director.call(listApprovals, { kind: 'ruleEnable' })).total).toBe(1)
})

test('a condition that is not complete is refused with the path of its node', async () => {
  const expression: Condition = {
    kind: 'all',
    of: [
      { field: 'age', operator: 'lessThan', value: 21 },
      { kind: 'any', of: [{ field: 'nobody', operator: 'is', value: 1 }] },
    ],
  }
  const refused = administrator.call(addRule, { ...SAID, name: 'X', expression })
  await expect(refused).rejects.toThrow('X-RULE Rule expression is not valid at 1.0')
})

test('a table in force gives the limit and a lower price, and the terms of the application follow', async () => {
  const table: DecisionTable = {
    inputs: ['orderNo'],
    outputs: ['limitChange', 'dailyRate', 'serviceRate'],
    rows: [
      { when: [{ operator: 'atMost', value: 1 }], gives: [5_000, 3, 9_999] },
      { when: [{ operator: 'is', value: 1 }], gives: [null, 1, null] },
    ],
  }
  const fields = { name: 'Half for first loans', order: 200, table }
  await expect(administrator.call(addTable, fields)).rejects.toThrow('X-TABLE')
  const first = { ...table, rows: table.rows.slice(0, 1) }
  const { tableId } = await administrator.call(addTable, { ...fields, table: first })
  const ask = async (id: string, status: 'enabled' | 'disabled') => {
    const { rows } = await manager.call(listTables, {})
    const version = rows.find((row) => row.tableId === id)?.version ?? 0
    return administrator.call(setTableStatus, { tableId: id, version, status, reason: 'agreed' })
  }
  const wrong = {
    tableId,
    name: 'a first loan',
    facts: { orderNo: 1 },
    expects: 'hit',
    gives: { dailyRate: 4, limit: null },
  } as const
  const held = await administrator.call(saveTableCase, wrong)
  expect(held).toMatchObject({ passes: false, outcome: 'hit', got: { dailyRate: 3 } })
  expect(await problemOf(ask(tableId, 'enabled'))).toBe('X-CASE')
  await administrator.call(saveTableCase, {
    ...wrong,
    caseId: held.caseId,
    gives: { dailyRate: 3, limit: null },
  })
  const unknown = { ...wrong, name: 'without its number', facts: {} }
  const second = await administrator.call(saveTableCase, { ...unknown, expects: 'notEvaluated' })
  // nothing can be given where no row can be told
  expect(second.passes).toBe(false)
  await administrator.call(deleteRuleCase, { caseId: second.caseId })
  const { cases } = await manager.call(tableDetail, { tableId })
  expect(cases.map(({ name, passes }) => [name, passes])).toEqual([['a first loan', true]])
  const { orderId: before, limit } = await offered(51)
  expect([limit, (await termsOf(before)).dailyRate]).toEqual([2_250_000, 5])
  const { approvalId } = await ask(tableId, 'enabled')
  const { effect } = await director.call(approvalDetail, { approvalId: approvalId ?? '' })
  expect(effect).toMatchObject({ obstacle: null })
  expect(effect?.changes.map(({ name }) => name)).toContain('tableRows')
  await approve(approvalId)

  const { orderId: after, limit: halved } = await offered(52)
  expect(halved).toBe(1_125_000)
  // the product asks for less than the table, so its service rate stays
  const [old, now] = [await termsOf(before), await termsOf(after)]
  expect(now).toMatchObject({ dailyRate: 3, serviceRate: old.serviceRate })
  expect(now.interest / old.interest).toBeCloseTo(3 / 5)
  expect(now.contract).toBe(now.amount + now.interest)

  const { rows } = await sql<{ action: string }>`
    select l.action from operate_log l where l.target_id = ${after} and l.action = 'lowerRates'`.execute(
    floor.database.kysely,
  )
  expect(rows).toHaveLength(1)
  expect(await administrator.call(testTable, { tableId, orderId: after })).toMatchObject({
    row: 0,
    open: null,
    facts: { orderNo: 1 },
    before: { limit: 2_250_000, dailyRate: null },
    after: { limit: 1_125_000, dailyRate: 3 },
  })
  const { rows: changes } = await director.call(listChanges, { what: tableId })
  const governing = changes.filter(({ action }) => !action.endsWith('Case'))
  expect(governing.map(({ action, by, approvedBy }) => [action, by, approvedBy])).toEqual([
    ['enableTable', 'Administrator 1', 'Director 1'],
    ['addTable', 'Administrator 1', null],
  ])
  expect(changes.every(({ name }) => name === fields.name)).toBe(true)
  expect(await problemOf(ask('LIMIT', 'disabled'))).toBe('X-LIMIT')
  await ask(tableId, 'disabled')
  expect((await offered(53)).limit).toBe(2_250_000)

  // what decided then is still told, whatever is in force now
  const { decision } = await manager.call(orderDecision, { orderId: after })
  expect(decision?.tables.find((one) => one.tableId === tableId)).toMatchObject({
    versionNo: 1,
    row: 0,
    before: { limit: 2_250_000 },
    after: { limit: 1_125_000, dailyRate: 3 },
    table: first,
    cells: [[true]],
  })
  expect(decision?.limit).toBe(1_125_000)
  expect(decision?.rules.length).toBeGreaterThan(10)
})

async function offered(n: number): Promise<{ orderId: string; limit: number }> {
  const { reviewId, orderId } = await app.call(inboundApplication, makeApplication(n))
  await machineReview.run(floor.context)
  await floor.settle()
  const { rows } = await sql<{ limit: number }>`
    select (r.machine_report ->> 'limit')::int as limit from review r where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  return { orderId, limit: rows[0]?.limit ?? 0 }
}

async function termsOf(orderId: string) {
  const { rows } = await sql<
    Record<'dailyRate' | 'serviceRate' | 'interest' | 'contract' | 'amount', number>
  >`
    select (o.product_snapshot ->> 'dailyRate')::int as "dailyRate", o.interest, o.amount,
      (o.product_snapshot ->> 'serviceRate')::int as "serviceRate", o.contract_amount as contract
    from loan_order o where o.id = ${orderId}`.execute(floor.database.kysely)
  const [terms] = rows
  if (!terms) throw new Error(orderId)
  return terms
}

test('a JDM file of a version is read back as what it says, and a file of other nodes is refused', async () => {
  const read = async (content: string) => administrator.call(readRuleFile, { content })
  for (const id of ['ADM01', 'KYC02', 'INC01']) {
    const { content } = await manager.call(ruleFile, { id, versionNo: 1 })
    const { versions } = await manager.call(ruleDetail, { ruleId: id })
    expect(await read(content)).toEqual({
      kind: 'condition',
      expression: versions.at(-1)?.expression,
    })
  }
  const { content } = await manager.call(ruleFile, { id: 'LIMIT', versionNo: 1 })
  const { versions } = await manager.call(tableDetail, { tableId: 'LIMIT' })
  expect(await read(content)).toMatchObject({ kind: 'table', table: versions[0]?.table })

  const file = JSON.parse(content) as { nodes: object[] }
  const program = { id: 'f', name: 'Score', type: 'functionNode', content: 'export default 1' }
  await expect(read(JSON.stringify({ nodes: [...file.nodes, program] }))).rejects.toThrow(
    'X-FILE JDM file cannot be used (nodeType): Score functionNode',
  )
  for (const wrong of [
    '{]',
    '[]',
    'null',
    '{"nodes":[null]}',
    '{"nodes":[{"type":"expressionNode"}]}',
  ])
    await expect(read(wrong)).rejects.toThrow('X-FILE')
  expect(await problemOf(manager.call(readRuleFile, { content }))).toBe('G403')
})

test('a test shows each node with the values it read, and marks missing values', async () => {
  const { ruleId } = await administrator.call(addRule, {
    ...SAID,
    name: 'Face or income',
    expression: {
      kind: 'any',
      of: [
        { field: 'faceScore', operator: 'lessThan', value: 80 },
        { field: 'monthlyIncome', operator: 'lessThan', value: 1_000_000 },
      ],
    },
  })
  const { rows } = await sql<{ id: string }>`
    select o.id from loan_order o order by o.created_at limit 1`.execute(floor.database.kysely)
  const orderId = (rows[0] as { id: string }).id
  expect(await administrator.call(testRule, { ruleId, orderId })).toMatchObject({
    orderId,
    outcome: 'notEvaluated',
    facts: { faceScore: null, monthlyIncome: 4_500_000 },
    trace: [
      { path: '', truth: null, cause: null },
      { path: '0', truth: null, cause: 'empty' },
      { path: '1', truth: false, cause: null },
    ],
  })
  const sample = { monthlyIncome: 500_000, faceScore: 'much' }
  expect(await administrator.call(testRule, { ruleId, sample })).toMatchObject({
    outcome: 'hit',
    trace: [{ truth: true }, { cause: 'unreadable' }, { truth: true }],
  })
  expect(await administrator.call(testRule, { ruleId, sample: {} })).toMatchObject({
    trace: [{}, { cause: 'missing' }, { cause: 'missing' }],
  })
})

test('what a group or an action does stays while rules use it, and a draft can be deleted', async () => {
  const group = (await manager.call(listRuleGroups, {})).rows[0]
  if (!group) throw new Error('no group')
  const { groupId, version, name } = group
  const saveGroup = (change: object) =>
    administrator.call(saveRuleGroup, {
      groupId,
      version,
      name,
      mode: 'parallel',
      order: 9,
      ...change,
    })
  expect(await problemOf(saveGroup({ mode: 'serial' }))).toBe('K-USED')
  expect(await saveGroup({})).toMatchObject({ order: 9 })

  const action = { actionId: 'REJECT', version: 1, name: 'Refuse', description: '' }
  expect(await problemOf(administrator.call(editRuleAction, { ...action, kind: 'pass' }))).toBe(
    'K-USED',
  )
  const own = await administrator.call(addRuleAction, {
    name: 'Mark for a call',
    description: '',
    kind: 'setOutput',
  })
  expect(own.inUse).toBe(false)
  const fields = {
    ...SAID,
    name: 'Gone',
    actionId: own.actionId,
    refusalCode: null,
    output: 'call',
  }
  const { ruleId } = await administrator.call(addRule, fields)
  const part = { actionId: own.actionId, version: own.version }
  expect(await problemOf(administrator.call(deleteRuleAction, part))).toBe('K-USED')
  await administrator.call(deleteRule, { ruleId, version: 1 })
  await administrator.call(deleteRuleAction, part)
  expect(await problemOf(manager.call(ruleDetail, { ruleId }))).toBe('G404')
})

test('the first hit ends a serial group', async () => {
  const db = floor.database.kysely
  await sql`update rule_group set mode = 'serial' where id = 'FRAUD'`.execute(db)
  const { reviewId } = await app.call(
    inboundApplication,
    makeApplication(47, { customer: { panName: 'Somebody Else' } }),
  )
  await machineReview.run(floor.context)
  const { rows } = await sql<{ report: { rules: { code: string; hit: boolean }[] } }>`
    select r.machine_report as report from review r where r.id = ${reviewId}`.execute(db)
  const codes = rows[0]?.report.rules.map(({ code }) => code) ?? []
  expect(codes).toContain('KYC01')
  expect(codes).not.toContain('KYC02')
})
