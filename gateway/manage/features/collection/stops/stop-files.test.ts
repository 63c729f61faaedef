/** Files of stops: uploaded with the request, opened by everyone who sees the stop. */
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
})
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

const held = () => makeCase(floor, { collectorId: holderId, overdueDays: 12 })
const stopInput = (userId: string) => ({
  userId,
  reason: 'legal' as const,
  remark: 'Notice of a court',
})
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

test('files of a request are opened by the approver with a watermark, and each opening is logged', async () => {
  const made = await held()
  const requested = await specialist.call(
    addStop,
    withFiles(stopInput(made.customerId), [PNG, PDF]),
  )
  expect(requested).toMatchObject({ state: 'pending', files: [{ kind: 'png' }, { kind: 'pdf' }] })
  const { stopId } = requested
  const [row] = (await leader.call(listStops, { userId: made.customerId })).rows
  expect(row?.files).toEqual(requested.files)
  expect((await specialist.call(caseDetail, { caseId: made.caseId })).stops[0]?.files).toEqual(
    requested.files,
  )

  const [picture, paper] = requested.files
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
  // it keeps them after the decision
  await leader.call(decideStops, {
    stopIds: [stopId],
    result: 'rejected',
    reason: 'Not of a court',
  })
  expect((await leader.call(listStops, { userId: made.customerId })).rows[0]?.files).toEqual(
    requested.files,
  )
})

test('a file is served only for its own stop and its viewers, and is otherwise answered as missing', async () => {
  const [one, two] = [await held(), await held()]
  const [first, second] = [
    await specialist.call(addStop, withFiles(stopInput(one.customerId))),
    await specialist.call(addStop, withFiles(stopInput(two.customerId))),
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

test('files of another type, too many or too large are refused at their field and not stored', async () => {
  const made = await held()
  const before = await keptFiles()
  const refused = (files: readonly Buffer[]) =>
    specialist.refused(addStop, withFiles(stopInput(made.customerId), files))
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
  // when the request is refused for another reason, its files are not stored either
  expect((await stranger.refused(addStop, withFiles(stopInput(made.customerId)))).problem?.id).toBe(
    'G404',
  )
  expect(
    (
      await manager.refused(
        addStop,
        withFiles({ ...stopInput(made.customerId), endTime: '2020-01-01' }),
      )
    ).data,
  ).toEqual({ fields: { endTime: 'past' } })
  expect(
    (await request(floor.manage.app, addStop, withFiles(stopInput(made.customerId)), {})).json<{
      code: number
    }>().code,
  ).toBe(401)
  expect(await keptFiles()).toBe(before)
  expect((await manager.call(listStops, { userId: made.customerId })).total).toBe(0)
})

test('at most five files are accepted, and a repeated idempotency key makes one stop', async () => {
  const made = await held()
  const key = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    [1, 2].map(() =>
      specialist.call(
        addStop,
        withFiles(
          stopInput(made.customerId),
          Array.from({ length: 5 }, () => PNG),
        ),
        key,
      ),
    ),
  )
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.files).toHaveLength(5)
  expect(
    (await specialist.refused(addStop, withFiles(stopInput(made.customerId), [PDF]), key)).problem
      ?.id,
  ).toBe('G-IK')
  // the database enforces that a file belongs to one stop
  const { stopId } = await specialist.call(addStop, { ...stopInput((await held()).customerId) })
  await expect(
    sql`
      insert into stop_file (stop_id, n, file_id) values (${stopId}, 1, ${answers[0]?.files[0]?.fileId})`.execute(
      floor.database.kysely,
    ),
  ).rejects.toThrow(/stop_file_file_id_key/)
})
