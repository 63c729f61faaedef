/** Files of stops: sent in with the wish, opened by who sees the stop. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { caseDetail } from '#shared/collection/cases-api.ts'
import { addStop, decideStops, listStops, stopFile } from '#shared/collection/stops-api.ts'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import { makeCase, workFloor } from '#tests/factories/cases.ts'
import { PDF, PNG, REFUSED_FILES, withFiles } from '#tests/factories/files.ts'
import { expectPainted } from '#tests/factories/pictures.ts'
import { makeCollector, makeLeader, makeUnit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import { type Floor, type Person, request } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let holderId: string
let specialist: Person
let leader: Person
/** Of another agency. */
let stranger: Person
let manager: Person

beforeAll(async () => {
  floor = await workFloor()
  const home = await makeUnit(floor, { inHouse: true })
  const away = await makeUnit(floor, { inHouse: false })
  const holder = await makeCollector(floor, home, { role: 'collection_specialist' })
  holderId = holder.userId
  specialist = await floor.signIn(holder.account)
  leader = await floor.signIn((await makeLeader(floor, home, 'team_leader')).account)
  stranger = await floor.signIn((await makeLeader(floor, away, 'external_supervisor')).account)
  manager = await floor.signIn('manager')
}, 120_000)
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

const held = () => makeCase(floor, { collectorId: holderId, overdueDays: 12 })
const ask = (userId: string) => ({ userId, reason: 'legal' as const, remark: 'Notice of a court' })
async function keptFiles(): Promise<number> {
  return (
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from file_object o where o.purpose = 'stop'`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.n ?? -1
  )
}

test('files come with the wish and are opened by who decides it, under his mark; each opening is written down', async () => {
  const made = await held()
  const asked = await specialist.call(addStop, withFiles(ask(made.customerId), [PNG, PDF]))
  expect(asked).toMatchObject({ state: 'pending', files: [{ kind: 'png' }, { kind: 'pdf' }] })
  const { stopId } = asked
  const [row] = (await leader.call(listStops, { userId: made.customerId })).rows
  expect(row?.files).toEqual(asked.files)
  expect((await specialist.call(caseDetail, { caseId: made.caseId })).stops[0]?.files).toEqual(
    asked.files,
  )

  const [picture, paper] = asked.files
  const seen = await leader.send(stopFile, { stopId, fileId: picture?.fileId })
  expectPainted(seen, PNG)
  const saved = await manager.send(stopFile, { stopId, fileId: paper?.fileId })
  expect(saved.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${stopId}-2.pdf"`,
  })
  expect(saved.rawPayload.equals(PDF)).toBe(true)
  const { rows } = await sql<{
    user_id: string
  }>`select l.user_id from operate_log l where l.action = 'stopFile' and l.target_id = ${stopId} order by l.id`.execute(
    floor.database.kysely,
  )
  expect(rows.map((one) => one.user_id)).toEqual([leader.userId, manager.userId])
  const stored = await sql<{
    content: Buffer
    owner_id: string
  }>`select o.content, o.owner_id from file_object o where o.id = ${picture?.fileId}`.execute(
    floor.database.kysely,
  )
  expect([stored.rows[0]?.content.includes(PNG), stored.rows[0]?.owner_id]).toEqual([
    false,
    holderId,
  ])
  // decided, it keeps them
  await leader.call(decideStops, {
    stopIds: [stopId],
    result: 'rejected',
    reason: 'Not of a court',
  })
  expect((await leader.call(listStops, { userId: made.customerId })).rows[0]?.files).toEqual(
    asked.files,
  )
})

test('a file is opened by its own stop only, for who sees it; any other answers as missing', async () => {
  const [one, two] = [await held(), await held()]
  const [first, second] = [
    await specialist.call(addStop, withFiles(ask(one.customerId))),
    await specialist.call(addStop, withFiles(ask(two.customerId))),
  ]
  const [fileId, other] = [first.files[0]?.fileId ?? '', second.files[0]?.fileId ?? '']
  const missing = (await specialist.send(stopFile, { stopId: first.stopId, fileId: 'F0' })).body
  for (const swapped of [
    { stopId: first.stopId, fileId: other },
    { stopId: second.stopId, fileId },
    { stopId: 'SC99999999', fileId },
  ])
    expect((await specialist.send(stopFile, swapped)).body).toBe(missing)
  expect((await stranger.send(stopFile, { stopId: first.stopId, fileId })).body).toBe(missing)
  expect(
    (await (await floor.signIn('reviewer')).refused(stopFile, { stopId: first.stopId, fileId }))
      .code,
  ).toBe(403)
})

test('what is no picture and no PDF, too many and too large are refused at their field; nothing is kept and nobody is stopped', async () => {
  const made = await held()
  const before = await keptFiles()
  const refused = (files: readonly Buffer[]) =>
    specialist.refused(addStop, withFiles(ask(made.customerId), files))
  for (const [what, file] of REFUSED_FILES)
    expect(await refused([PNG, file]), what).toMatchObject({
      problem: { id: 'G-FILE' },
      data: { fields: { files: 'ui:fault.fileKind' } },
    })
  expect(await refused(Array.from({ length: 6 }, () => PNG))).toMatchObject({
    problem: { id: 'G-FILE' },
    data: { fields: { files: 'maxItems' } },
  })
  expect(await refused([Buffer.concat([PNG, Buffer.alloc(ATTACHED.bytes)])])).toMatchObject({
    problem: { id: 'G-SIZE' },
    data: { fields: { files: 'ui:fault.fileSize' } },
  })
  // refused for something else: its files are not kept either
  expect((await stranger.refused(addStop, withFiles(ask(made.customerId)))).problem?.id).toBe(
    'G404',
  )
  expect(
    (await manager.refused(addStop, withFiles({ ...ask(made.customerId), endTime: '2020-01-01' })))
      .data,
  ).toEqual({ fields: { endTime: 'past' } })
  expect(
    (await request(floor.manage.app, addStop, withFiles(ask(made.customerId)), {})).json<{
      code: number
    }>().code,
  ).toBe(401)
  expect(await keptFiles()).toBe(before)
  expect((await manager.call(listStops, { userId: made.customerId })).total).toBe(0)
})

test('five files are the most, and one key is one stop with its files', async () => {
  const made = await held()
  const key = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    [1, 2].map(() =>
      specialist.call(
        addStop,
        withFiles(
          ask(made.customerId),
          Array.from({ length: 5 }, () => PNG),
        ),
        key,
      ),
    ),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.files).toHaveLength(5)
  expect(
    (await specialist.refused(addStop, withFiles(ask(made.customerId), [PDF]), key)).problem?.id,
  ).toBe('G-IK')
  // a file belongs to one stop, whatever a command would do
  const { stopId } = await specialist.call(addStop, { ...ask((await held()).customerId) })
  await expect(
    sql`insert into stop_file (stop_id, n, file_id) values (${stopId}, 1, ${answers[0]?.files[0]?.fileId})`.execute(
      floor.database.kysely,
    ),
  ).rejects.toThrow(/stop_file_file_id_key/)
})
