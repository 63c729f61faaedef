/** Exports that need approval: who decides, and what happens to the file. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import { decideApproval, listApprovals, withdrawApproval } from '#shared/approvals/approvals-api.ts'
import { downloadExport, startExport } from '#shared/exports/exports-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import { listJobs } from '#shared/jobs/jobs-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

let floor: Floor
let manager: Person
let director: Person
beforeAll(async () => {
  floor = await testManage()
  manager = await floor.signIn('manager')
  director = await floor.signIn('director')
  for (let n = 0; n < 3; n += 1) await makeOrder(floor, {})
  await setting('export.approveAbove', 2)
})
afterAll(() => floor.close())

async function setting(code: string, value: number): Promise<void> {
  await sql`update sys_config set value = ${String(value)} where code = ${code}`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
}
const asked = (more: Partial<InputOf<typeof startExport>> = {}): InputOf<typeof startExport> => ({
  list: '/order/list',
  filters: { sort: 'orderId:asc' },
  columns: [{ field: ['orderId'], title: 'Borrowing ID', kind: 'text' }],
  format: 'csv',
  title: 'Orders',
  reason: 'Audit of the quarter',
  ...more,
})
async function ask(
  more: Partial<InputOf<typeof startExport>> = {},
  person = manager,
): Promise<string> {
  const { approvalId, jobId } = await person.call(startExport, asked(more))
  expect(jobId).toBeUndefined()
  return approvalId ?? ''
}
const problem = async (
  person: Person,
  endpoint: Parameters<Person['refused']>[0],
  input: unknown,
) => (await person.refused(endpoint, input)).problem?.id
const newestJob = async (person: Person) => (await person.call(listJobs, { pageSize: 10 })).rows[0]
const kept = async () =>
  (await sql`select from export_request`.execute(floor.database.kysely)).rows.length

test('more rows than the personal limit need approval, and the requester gets the file', async () => {
  const approvalId = await ask()
  await floor.settle()
  expect(await newestJob(manager)).toBeUndefined()
  expect((await director.call(workbench, {})).todo).toContainEqual({ menu: 'home_page', count: 1 })
  const { approval, file } = await director.call(approvalDetail, { approvalId })
  expect(approval).toMatchObject({
    kind: 'export',
    count: 3,
    amount: 0,
    reason: 'Audit of the quarter',
    state: 'pending',
    mayDecide: true,
  })
  expect(file).toEqual({
    menu: 'order_list',
    title: 'Orders',
    format: 'csv',
    rows: 3,
    columns: ['Borrowing ID'],
    reveal: false,
    filters: [{ name: 'sort', value: 'orderId:asc' }],
  })
  expect(
    await director.call(decideApproval, { approvalId, version: 1, result: 'approved' }),
  ).toMatchObject({ state: 'approved' })
  await floor.settle()
  const job = await newestJob(manager)
  expect(job).toMatchObject({ state: 'done', rows: 3, title: 'Orders', fileId: expect.any(String) })
  expect(
    (await manager.send(downloadExport, { jobId: job?.jobId })).body.split('\r\n'),
  ).toHaveLength(6)
  // the approver does not get the file
  expect(await problem(director, downloadExport, { jobId: job?.jobId })).toBe('G404')
  expect(await kept()).toBe(0)
  const { rows } = await sql<{
    after: Record<string, unknown>
  }>`select l.after from operate_log l where l.action = 'exportDone' order by l.id desc limit 1`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.after).toMatchObject({ approvalId, rows: 3 })
  const emitted = await sql<{ title_key: string; route: string }>`
    select n.title_key, n.route
    from notification n
    where n.user_id = ${manager.userId} and n.kind = 'decision'`.execute(floor.database.kysely)
  expect(emitted.rows).toEqual([
    { title_key: 'approvals:notification.approved', route: '/home_page?tab=decide' },
  ])
})

test("a requester cannot decide, and without the list's code the request is invisible", async () => {
  const approvalId = await ask({ filters: { sort: 'orderId:desc' } })
  expect(
    await problem(manager, decideApproval, { approvalId, version: 1, result: 'approved' }),
  ).toBe('G-SELF')
  expect(
    await problem(manager, decideApproval, {
      approvalId,
      version: 1,
      result: 'rejected',
      reason: 'Not needed',
    }),
  ).toBe('G-SELF')
  // a reviewer uses the list without the export code, customer service only views it
  for (const account of ['reviewer', 'customer_service', 'internal_supervisor']) {
    const other = await floor.signIn(account)
    expect(await problem(other, approvalDetail, { approvalId }), account).toBe('G404')
    expect(
      await problem(other, decideApproval, { approvalId, version: 1, result: 'approved' }),
      account,
    ).toBe('G404')
    expect((await other.call(listApprovals, { kind: 'export' })).total, account).toBe(0)
  }
  expect(
    (
      await (
        await floor.signIn('manager2')
      ).call(listApprovals, { kind: 'export', state: 'pending' })
    ).rows[0],
  ).toMatchObject({ approvalId, mayDecide: true })
})

test('a reason is required, a repeated request is refused, and the hard limit cannot be approved away', async () => {
  const { reason: _, ...silent } = asked({ filters: { sort: 'dueTime:asc' } })
  expect(await manager.refused(startExport, silent)).toMatchObject({
    problem: { id: 'G-FIELD' },
    data: { fields: { reason: 'required' } },
  })
  await ask({ filters: { sort: 'dueTime:asc' } })
  expect(await problem(manager, startExport, asked({ filters: { sort: 'dueTime:asc' } }))).toBe(
    'A-OPEN',
  )
  await setting('export.max', 2)
  expect(
    await manager.refused(startExport, asked({ filters: { sort: 'dueTime:desc' } })),
  ).toMatchObject({ problem: { id: 'G-MAX', params: { n: 2 } } })
  await setting('export.max', 200_000)
  // two selected rows count as two, whatever the size of the list
  const { rows } = await sql<{
    id: string
  }>`select o.id from loan_order o order by o.id limit 2`.execute(floor.database.kysely)
  expect(
    await manager.call(
      startExport,
      asked({ only: { field: 'orderId', ids: rows.map(({ id }) => id) } }),
    ),
  ).toMatchObject({ jobId: expect.any(String) })
  await floor.settle()
  expect(await newestJob(manager)).toMatchObject({ state: 'done', rows: 2 })
})

test('a request that is not approved makes no file, deletes its filters and notifies the requester', async () => {
  const before = (await newestJob(manager))?.jobId
  const rejected = await ask({ filters: { sort: 'createTime:asc' } })
  await director.call(decideApproval, {
    approvalId: rejected,
    version: 1,
    result: 'rejected',
    reason: 'Too wide',
  })
  const withdrawn = await ask({ filters: { sort: 'createTime:desc' } })
  await manager.call(withdrawApproval, { approvalId: withdrawn, version: 1 })
  const late = await ask({ filters: { sort: 'orderId:asc,createTime:asc' } })
  await sql`update approval set expires_at = clock_timestamp() where id = ${late}`.execute(
    floor.database.kysely,
  )
  floor.context.wakeSchedule('approvalExpire')
  await floor.settle()
  expect(
    (await manager.call(listApprovals, { mine: true, pageSize: 20 })).rows
      .filter((row) => [rejected, withdrawn, late].includes(row.approvalId))
      .map((row) => row.state)
      .toSorted(),
  ).toEqual(['expired', 'rejected', 'withdrawn'])
  expect((await newestJob(manager))?.jobId).toBe(before)
  expect(
    (
      await sql`
        select from export_request e where e.id = any(${[rejected, withdrawn, late]}::text[])`.execute(
        floor.database.kysely,
      )
    ).rows,
  ).toHaveLength(0)
  const emitted = await sql<{ key: string }>`
    select n.title_key as key
    from notification n
    where n.user_id = ${manager.userId} and n.params ->> 'approvalId' = any(${[rejected, late]}::text[])
    order by n.title_key`.execute(floor.database.kysely)
  expect(emitted.rows.map(({ key }) => key)).toEqual([
    'approvals:notification.expired',
    'approvals:notification.rejected',
  ])
})

test('personal values in filters are nowhere stored in the clear while a request is pending', async () => {
  await setting('export.approveAbove', 0)
  const { rows } = await sql<{
    name: string
    id: string
  }>`select c.name, o.id from loan_order o join customer c on c.id = o.customer_id order by o.id limit 1`.execute(
    floor.database.kysely,
  )
  const found = rows[0] as { name: string; id: string }
  const approvalId = await ask({ filters: { userName: found.name } })
  const { file } = await director.call(approvalDetail, { approvalId })
  expect(file?.filters).toEqual([{ name: 'userName', value: '***' }])
  const traces = await sql<{ text: string }>`
    select coalesce(a.payload::text, '') || a.target_id as text from approval a where a.id = ${approvalId}
    union all select coalesce(l.after::text, '') from operate_log l where l.target_id = ${approvalId}
    union all select encode(e.input_enc, 'escape') from export_request e where e.id = ${approvalId}`.execute(
    floor.database.kysely,
  )
  expect(traces.rows).toHaveLength(3)
  for (const { text } of traces.rows) expect(text).not.toContain(found.name)
  await director.call(decideApproval, { approvalId, version: 1, result: 'approved' })
  await floor.settle()
  const job = await newestJob(manager)
  expect((await manager.send(downloadExport, { jobId: job?.jobId })).body).toContain(found.id)
  await setting('export.approveAbove', 2)
})

test("in a list with data scope an agency's request is decided inside the agency or with scope all", async () => {
  await setting('export.approveAbove', 0)
  const [unit, other] = [
    await makeUnit(floor, { weight: 50 }),
    await makeUnit(floor, { weight: 50 }),
  ]
  const collector = await makeCollector(floor, unit)
  await makeCase(floor, { state: 'allocated', overdueDays: 12, collectorId: collector.userId })
  await sql`
    insert into sys_user (account, nickname, user_name, password_hash, role_id)
    select u.account || n, u.nickname || n, u.user_name || n, u.password_hash, u.role_id from sys_user u
      cross join generate_series(2, 3) n where u.account = 'external_supervisor'`.execute(
    floor.database.kysely,
  )
  const [first, second, stranger] = [
    await floor.signIn('external_supervisor'),
    await floor.signIn('external_supervisor2'),
    await floor.signIn('external_supervisor3'),
  ]
  for (const [person, { agencyId }] of [
    [first, unit],
    [second, unit],
    [stranger, other],
  ] as const)
    await sql`update sys_user set agency_id = ${agencyId} where id = ${person.userId}`.execute(
      floor.database.kysely,
    )
  floor.context.forgetSessions(null)
  const list = {
    list: '/collection/case/list',
    filters: { tab: 'toFollow' },
    columns: [{ field: ['caseId'], title: 'Case', kind: 'text' as const }],
  }
  const wide = await ask(list)
  for (const person of [first, second, stranger]) {
    expect(await problem(person, approvalDetail, { approvalId: wide })).toBe('G404')
    expect(
      await problem(person, decideApproval, { approvalId: wide, version: 1, result: 'approved' }),
    ).toBe('G404')
  }
  const own = await ask(list, first)
  expect(
    (await director.call(listApprovals, { kind: 'export', state: 'pending' })).rows.map(
      (row) => row.approvalId,
    ),
  ).not.toContain(own)
  expect((await manager.call(approvalDetail, { approvalId: own })).approval.mayDecide).toBe(true)
  expect(await problem(stranger, approvalDetail, { approvalId: own })).toBe('G404')
  const roomsOf = async (id: string) =>
    (await floor.events()).find((event) => event.subject === `approval:${id}`)?.rooms ?? []
  // the agency's people are notified of their own request only, other agencies of none
  expect(await roomsOf(own)).toEqual(
    expect.arrayContaining([`user:${first.userId}`, `user:${second.userId}`, 'role:manager']),
  )
  for (const id of [wide, own])
    for (const room of ['role:external_supervisor', `user:${stranger.userId}`])
      expect(await roomsOf(id)).not.toContain(room)
  expect(
    await second.call(decideApproval, { approvalId: own, version: 1, result: 'approved' }),
  ).toMatchObject({ state: 'approved' })
  await floor.settle()
  expect(await newestJob(first)).toMatchObject({ state: 'done', rows: 1 })
  await setting('export.approveAbove', 2)
})
