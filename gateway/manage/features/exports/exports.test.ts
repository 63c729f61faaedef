import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOperateLog } from '#shared/access/operate-log-api.ts'
import { downloadExport, startExport } from '#shared/exports/exports-api.ts'
import { cancelJob, jobDetail } from '#shared/jobs/jobs-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { jobRunnerOf } from '#gateway/manage/jobs/runner.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'
import { exportJob } from './export-job.ts'

let floor: Floor
let manager: Person
beforeAll(async () => {
  floor = await testManage()
  manager = await floor.signIn('manager')
  for (let n = 0; n < 3; n += 1) await makeOrder(floor, {})
  await sql`
    update customer set name = '=HYPERLINK("http://x","y")'
      where id = (select min(o.customer_id) from loan_order o)`.execute(floor.database.kysely)
})
afterAll(() => floor.close())

const COLUMNS: InputOf<typeof startExport>['columns'] = [
  { field: ['orderId'], title: 'Order', kind: 'text' },
  { field: ['userName'], title: 'Customer', kind: 'text' },
  { field: ['phone'], title: 'Phone', kind: 'text' },
  { field: ['amount'], title: 'Amount', kind: 'money' },
  { field: ['createTime'], title: 'Created', kind: 'time' },
  { field: ['status'], title: 'Status', kind: 'text', words: { 10: 'Reviewing' } },
]
const asked = (more: Partial<InputOf<typeof startExport>> = {}): InputOf<typeof startExport> => ({
  list: '/order/list',
  filters: { sort: 'orderId:asc' },
  columns: COLUMNS,
  format: 'csv',
  title: 'Orders',
  ...more,
})
const start = async (more: Partial<InputOf<typeof startExport>> = {}, person = manager) =>
  (await person.call(startExport, asked(more))).jobId ?? ''
async function made(
  more: Partial<InputOf<typeof startExport>> = {},
  person = manager,
): Promise<DataOf<typeof jobDetail>['job']> {
  const jobId = await start(more, person)
  await floor.settle()
  return (await person.call(jobDetail, { jobId })).job
}
async function setting(code: string, value: number): Promise<void> {
  await sql`update sys_config set value = ${String(value)} where code = ${code}`.execute(
    floor.database.kysely,
  )
  floor.context.parameters.forget()
}
const download = async (jobId: string, person = manager) =>
  (await person.send(downloadExport, { jobId })).rawPayload
const logged = async (action: string) =>
  (
    await sql<{
      menu: string
      after: Record<string, unknown>
    }>`select l.menu, l.after from operate_log l where l.action = ${action} order by l.id desc limit 1`.execute(
      floor.database.kysely,
    )
  ).rows[0]

test('a file holds the rows, masks and labels the requester sees, and names them in its last line', async () => {
  const job = await made()
  expect(job).toMatchObject({
    state: 'done',
    fail: 0,
    title: 'Orders',
    rows: 3,
    menu: 'order_list',
    fileId: expect.any(String),
  })
  const answer = await manager.send(downloadExport, { jobId: job.jobId })
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="order_list-${istDay(new Date())}-${job.jobId}.csv"`,
  })
  const lines = answer.body.replace('\uFEFF', '').trimEnd().split('\r\n')
  const { rows } = await manager.call(listOrders, { sort: 'orderId:asc' })
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe('"Order","Customer","Phone","Amount","Created","Status"')
  const [first] = rows
  const rupees = ((first?.amount ?? 0) / 100).toFixed(2)
  const created = `${istDay(first?.createTime ?? '')} ${lines[1]?.match(/\d\d:\d\d/)?.[0]}`
  expect(lines[1]).toBe(
    [
      `"${first?.orderId}","'=HYPERLINK(""http://x"",""y"")","${first?.phone}"`,
      `${rupees},"${created}","Reviewing"`,
    ].join(','),
  )
  expect(first?.phone).toMatch(/^X+\d{4}$/)
  expect(lines[4]).toMatch(
    new RegExp(
      `^"manager \\(Manager 1\\) · ${istDay(new Date())} \\d\\d:\\d\\d IST · ${job.jobId}"$`,
    ),
  )
})

test('a workbook holds typed numbers and times and no formula', async () => {
  const job = await made({ format: 'xlsx' })
  const sheet = unzipped(await download(job.jobId)).get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet).toContain(
    '<t xml:space="preserve">\'=HYPERLINK(&quot;http://x&quot;,&quot;y&quot;)</t>',
  )
  expect(sheet).not.toContain('<f>')
  expect(sheet).toMatch(/<c s="4"><v>\d+\.\d\d<\/v><\/c><c s="3"><v>\d{5}\.\d+<\/v><\/c>/)
  expect(sheet.match(/<row>/g)).toHaveLength(5)
})

test('filters and selected rows decide the content', async () => {
  const { rows } = await manager.call(listOrders, { sort: 'orderId:asc' })
  const [first, second] = rows.map((row) => row.orderId) as [string, string]
  const filtered = await made({ filters: { orderId: second } })
  expect((await download(filtered.jobId)).toString()).toContain(`"${second}"`)
  expect(filtered.rows).toBe(1)
  expect((await made({ only: { field: 'orderId', ids: [first, 'L0'] } })).rows).toBe(1)
})

test("an export needs the list's code and holds only rows within scope and filters", async () => {
  const collector = await floor.signIn('collector')
  const director = await floor.signIn('director')
  const refused = async (person: Person, more: Partial<InputOf<typeof startExport>>) =>
    (await person.refused(startExport, asked(more))).problem?.id
  expect(await refused(await floor.signIn('customer_service'), {})).toBe('G403')
  expect(
    await refused(collector, { list: '/collection/case/list', filters: { tab: 'toFollow' } }),
  ).toBe('G403')
  // a director exports resolved cases, not open ones, and intake tickets only
  expect(
    await refused(director, { list: '/collection/case/list', filters: { tab: 'toFollow' } }),
  ).toBe('G403')
  expect(
    (
      await made(
        {
          list: '/collection/case/list',
          filters: { tab: 'ended' },
          columns: [{ field: ['caseId'], title: 'Case', kind: 'text' }],
        },
        director,
      )
    ).state,
  ).toBe('done')
  expect(await refused(manager, { list: '/sysUser/list', filters: {} })).toBe('G403')
  expect(await refused(manager, { list: '/no/list', filters: {} })).toBe('G403')
})

test('each file is logged with its request, row count and hash, and never with a phone', async () => {
  const job = await made({ filters: { phone: '9876543210' } })
  expect(await logged('export')).toMatchObject({
    menu: 'order_list',
    after: { list: '/order/list', format: 'csv', filters: { phone: '***' } },
  })
  expect(await logged('exportDone')).toMatchObject({
    menu: 'order_list',
    after: { rows: 0, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  await download(job.jobId)
  expect(await logged('exportDownload')).toMatchObject({ menu: 'order_list' })
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n
    from job j
    where j.type = 'list.export' and j.state = 'done' and j.params::text like '%9876543210%'`.execute(
    floor.database.kysely,
  )
  expect(rows[0]?.n).toBe(0)
})

test('the operate log can be exported too, by its call with a body', async () => {
  const administrator = await floor.signIn('administrator')
  const job = await made(
    {
      list: listOperateLog.path,
      filters: { timeFrom: '2020-01-01T00:00:00Z', timeTo: '2099-01-01T00:00:00Z' },
      columns: [{ field: ['action'], title: 'Action', kind: 'text' }],
    },
    administrator,
  )
  expect(job.state).toBe('done')
  expect((await download(job.jobId, administrator)).toString()).toContain('"export"')
})

test('a file can be downloaded by its requester for a day while the right lasts', async () => {
  const { jobId } = await made()
  expect(
    await (await floor.signIn('administrator')).refused(downloadExport, { jobId }),
  ).toMatchObject({ problem: { id: 'G404' } })
  await sql`
    update file_object set expires_at = clock_timestamp() - interval '1 second' where purpose = 'export'`.execute(
    floor.database.kysely,
  )
  expect(await manager.refused(downloadExport, { jobId })).toMatchObject({
    problem: { id: 'G404' },
  })
  expect((await manager.call(jobDetail, { jobId })).job.fileId).toBeNull()
})

test('an export is refused like its list, and identifying filters are not kept with the job', async () => {
  expect(
    await manager.refused(startExport, asked({ filters: { sort: 'nothing:asc' } })),
  ).toMatchObject({ problem: { id: 'G-FIELD' } })
  const { jobId } = await made({ filters: { phone: '9876500001' } })
  const { rows } = await sql<{
    filters: unknown
  }>`select j.params -> 'filters' as filters from job j where j.id = ${jobId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ filters: { phone: '***' } }])
})

test('a list that grew past its limit since the request makes no file', async () => {
  const jobId = await start()
  await setting('export.approveAbove', 2)
  await floor.settle()
  expect((await manager.call(jobDetail, { jobId })).job).toMatchObject({
    state: 'failed',
    message: 'E-GREW',
    fileId: null,
  })
  await setting('export.approveAbove', 10_000)
})

test('a person can run two exports at once; a cancelled one leaves no file', async () => {
  const open = [await start(), await start()]
  expect(await manager.refused(startExport, asked())).toMatchObject({ problem: { id: 'E-TWO' } })
  await manager.call(cancelJob, { jobId: open[0] as string })
  await floor.settle()
  expect((await manager.call(jobDetail, { jobId: open[0] as string })).job).toMatchObject({
    state: 'cancelled',
    fileId: null,
  })
  expect((await sql`select from export_part`.execute(floor.database.kysely)).rows).toHaveLength(0)
})

test('a crashed export continues with the rows as first read, each once', async () => {
  const many = await sql<{ id: string }>`select o.id from loan_order o order by o.id`.execute(
    floor.database.kysely,
  )
  const jobId = await start()
  // the runner stops after the rows were read and before any line was written
  const dying = jobRunnerOf(floor.context, [{ ...exportJob, row: async () => 'park' }])
  await dying.settle()
  await dying.stop()
  expect((await manager.call(jobDetail, { jobId })).job).toMatchObject({
    state: 'running',
    total: 1,
    done: 0,
  })
  await sql`update job set held_until = null where id = ${jobId}`.execute(floor.database.kysely)
  const late = await makeOrder(floor, {})
  await floor.settle()
  const text = (await download(jobId)).toString()
  for (const { id } of many.rows) expect(text.split(`"${id}"`)).toHaveLength(2)
  expect(text).not.toContain(late.orderId)
})

/** The files of a zip by name. */
function unzipped(zip: Buffer): Map<string, string> {
  return new Map(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]))
}
