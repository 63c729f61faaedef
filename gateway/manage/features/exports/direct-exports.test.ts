/**
 * Direct downloads: the same rows, masks, cells and file marks as an export job, up to a row limit.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { downloadExport, startExport } from '#shared/exports/exports-api.ts'
import { jobDetail } from '#shared/jobs/jobs-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { BASE } from '#gateway/manage/core.ts'
import type { ExportableList } from '#gateway/manage/kernel/app-context.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let manager: Person
beforeAll(async () => {
  floor = await testManage()
  manager = await floor.signIn('manager')
  for (let n = 0; n < 3; n += 1) await makeOrder(floor, { status: 30 })
  await sql`
    update customer set name = '=1+1' where id = (select min(o.customer_id) from loan_order o)`.execute(
    floor.database.kysely,
  )
})
afterAll(() => floor.close())

const callAt = (path: string) => floor.manage.endpoints.find((e) => e.path === path) as Endpoint
const linesOf = (text: string) => text.replace('\uFEFF', '').trimEnd().split('\r\n')
async function file(
  path: string,
  input: Record<string, unknown>,
  person = manager,
): Promise<string[]> {
  const answer = await person.send(callAt(path), { format: 'csv', ...input })
  expect(answer.headers['content-type'], answer.body).toBe('text/csv; charset=utf-8')
  return linesOf(answer.body)
}
const problem = async (path: string, input: Record<string, unknown>, person = manager) =>
  (await person.refused(callAt(path), input)).problem?.id
/** Blocks the next read of a list. @returns a function that resumes it, once it has begun */
function holdRows(path: string): Promise<() => void> {
  const list = floor.context.lists.get(path) as ExportableList
  const { rows } = list
  return new Promise((begun) => {
    list.rows = async (...asked) => {
      list.rows = rows
      await new Promise<void>((letGo) => begun(letGo))
      return rows(...asked)
    }
  })
}
async function setting(code: string, value: number): Promise<void> {
  await sql`update sys_config set value = ${String(value)} where code = ${code}`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
}

test('a direct download equals the file of a job line for line', async () => {
  const columns = [
    { field: ['orderId'], title: 'Order', kind: 'text' as const },
    { field: ['userName'], title: 'Customer, "name"', kind: 'text' as const },
    { field: ['phone'], title: 'Phone', kind: 'text' as const },
    { field: ['amount'], title: 'Amount', kind: 'money' as const },
    {
      field: ['status'],
      title: 'Status',
      kind: 'text' as const,
      words: { 30: 'Awaiting repayment' },
    },
  ]
  const query = new URLSearchParams([
    ['sort', 'orderId:asc'],
    ['format', 'csv'],
    ['title', 'Orders'],
    ...columns.map((column) => ['columns', JSON.stringify(column)]),
  ])
  const atOnce = await floor.manage.app.inject({
    method: 'GET',
    url: `${BASE}/export/list/orderExport?${query}`,
    headers: { authorization: manager.token },
  })
  const number = /"order_list-(.{10})-(F\d+)\.csv"/.exec(
    String(atOnce.headers['content-disposition']),
  )
  expect(number?.[1]).toBe(istDay(new Date()))
  const { jobId } = await manager.call(startExport, {
    list: '/order/list',
    filters: { sort: 'orderId:asc' },
    columns,
    format: 'csv',
    title: 'Orders',
  })
  await floor.settle()
  expect((await manager.call(jobDetail, { jobId: jobId ?? '' })).job.state).toBe('done')
  const [mine, ofJob] = [
    linesOf(atOnce.body),
    linesOf((await manager.send(downloadExport, { jobId })).body),
  ]
  expect(mine.slice(0, -1)).toEqual(ofJob.slice(0, -1))
  expect(mine).toHaveLength(5)
  expect(mine[1]).toContain('"\'=1+1"')
  expect(mine[1]).toMatch(/"X+\d{4}"/)
  expect(mine.at(-1)).toBe(
    `"manager (Manager 1) · ${istDay(new Date())} ${/\d\d:\d\d/.exec(mine.at(-1) ?? '')?.[0]} IST · ${number?.[2]}"`,
  )
  const { rows } = await sql<{
    menu: string
    target_id: string
    after: Record<string, unknown>
  }>`
    select l.menu, l.target_id, l.after
    from operate_log l
    where l.action = 'export' and l.target_kind = 'file'
    order by l.id desc
    limit 1`.execute(floor.database.kysely)
  expect(rows[0]).toMatchObject({
    menu: 'order_list',
    target_id: number?.[2],
    after: {
      list: '/order/list',
      format: 'csv',
      columns: 5,
      rows: 3,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
})

test('columns are chosen by field name, all fields are the default, and unknown names are refused', async () => {
  expect((await file('/export/list/orderExport', { columns: 'orderId,amount' }))[0]).toBe(
    '"orderId","amount"',
  )
  expect((await file('/export/list/orderExport', {}))[0]).toMatch(/^"orderId","userId","userName",/)
  for (const columns of ['phone_enc', '__proto__', 'toString', '{"field":["orderId"]}', '{nothing'])
    expect(await problem('/export/list/orderExport', { columns }), columns).toBe('G-FIELD')
  const workbook = await manager.send(callAt('/export/list/orderExport'), { columns: 'orderId' })
  expect(workbook.headers['content-type']).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
})

test('above the row limit a download is refused with 413, and a person can have two at once', async () => {
  await setting('export.syncMax', 2)
  const answer = await manager.send(callAt('/export/list/orderExport'), {})
  expect(answer.statusCode).toBe(413)
  expect(answer.json()).toMatchObject({ code: 400, problem: { id: 'G-SIZE' } })
  expect(
    await file('/export/list/orderExport', {
      orderId: (
        await sql<{ id: string }>`select min(o.id) as id from loan_order o`.execute(
          floor.database.kysely,
        )
      ).rows[0]?.id,
    }),
  ).toHaveLength(3)
  await setting('export.syncMax', 5_000)
  const job = {
    list: '/order/list',
    filters: {},
    columns: [{ field: ['orderId'], title: 'Order', kind: 'text' as const }],
    format: 'csv' as const,
    title: 'Orders',
  }
  await manager.call(startExport, job)
  const isFirstReading = holdRows('/order/list')
  const first = file('/export/list/orderExport', {})
  const letGo = await isFirstReading
  expect(await problem('/export/list/orderExport', {})).toBe('E-TWO')
  letGo()
  expect(await first).toHaveLength(5)
  expect(await file('/export/list/orderExport', {})).toHaveLength(5)
  await manager.call(startExport, job)
  expect(await problem('/export/list/orderExport', {})).toBe('E-TWO')
  await floor.settle()
  expect(await file('/export/list/orderExport', {})).toHaveLength(5)
})

test("an address shared by several lists is told apart by filters, and the list's own code decides", async () => {
  await makeCase(floor, { state: 'unallocated', overdueDays: 12 })
  await makeTicket(floor, {
    type: 1,
    customerId:
      (
        await sql<{ id: string }>`select min(c.id) as id from customer c`.execute(
          floor.database.kysely,
        )
      ).rows[0]?.id ?? '',
  })
  expect(
    await file('/export/collection/task', { tab: 'toAllocate', columns: 'caseId' }),
  ).toHaveLength(3)
  for (const tab of ['follow', 'change', 'move', 'stop'])
    expect((await file('/export/collection/task', { tab })).length).toBeGreaterThanOrEqual(2)
  for (const type of ['plan', 'record', 'proof'])
    expect((await file('/export/list/repayExport', { type })).length).toBeGreaterThanOrEqual(2)
  for (const type of ['transfer', 'failure'])
    expect((await file('/export/list/payoutExport', { type })).length).toBeGreaterThanOrEqual(2)
  for (const type of ['request', 'bill'])
    expect(
      (
        await file('/export/collection/reduce', {
          type,
          dateFrom: istDay(new Date()),
          dateTo: istDay(new Date()),
        })
      ).length,
    ).toBeGreaterThanOrEqual(2)
  expect(
    (await file('/export/list/homeExport', { type: 'customer', columns: 'userId' })).length,
  ).toBeGreaterThanOrEqual(3)
  for (const [path, input] of [
    ['/export/list/loanExport', {}],
    ['/export/list/reviewExport', { tab: 'all' }],
    ['/export/list/feedbackExport', {}],
    ['/export/collection/balance', {}],
  ] as const)
    expect((await file(path, input)).length).toBeGreaterThanOrEqual(2)
  const days = { dateFrom: istDay(new Date()), dateTo: istDay(new Date()) }
  for (const [path, input] of [
    ['/export/collection/performance', { ...days, groupBy: 'collector' }],
    ['/export/collection/repayment', days],
  ] as const)
    expect((await file(path, input)).length).toBeGreaterThanOrEqual(2)
  expect(
    (
      await file('/export/collection/performance', {
        ...days,
        agencyId: (await makeUnit(floor)).agencyId,
        level: 'stages',
        columns: 'id',
      })
    ).length,
  ).toBeGreaterThanOrEqual(2)
  expect(await problem('/export/list/repayExport', {})).toBe('G-FIELD')
  expect(await problem('/export/list/repayExport', { type: 'ledger' })).toBe('G-FIELD')
  // a director exports resolved cases and intake tickets, and nothing else of these addresses
  const director = await floor.signIn('director')
  expect(await problem('/export/collection/task', { tab: 'toFollow' }, director)).toBe('G403')
  expect(
    (await file('/export/collection/task', { tab: 'ended' }, director)).length,
  ).toBeGreaterThanOrEqual(2)
  expect(await problem('/export/list/payoutExport', { type: 'failure' }, director)).toBe('G403')
  const administrator = await floor.signIn('administrator')
  expect(
    (
      await file(
        '/export/operateLog',
        { timeFrom: '2020-01-01T00:00:00Z', timeTo: '2099-01-01T00:00:00Z', columns: 'action' },
        administrator,
      )
    ).join(),
  ).toContain('"export"')
})
