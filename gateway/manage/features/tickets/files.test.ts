/**
 * Files of tickets: sent with a ticket, with a reply or from the customer app; who may open them,
 * and which are refused.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import { inboundFeedback } from '#shared/tickets/inbound-feedback-api.ts'
import {
  addTicket,
  claimTicket,
  listTickets,
  replyTicket,
  ticketDetail,
  ticketFile,
  ticketSteps,
} from '#shared/tickets/tickets-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { PDF, PNG, REFUSED_FILES, withFiles } from '#tests/factories/files.ts'
import { expectPainted } from '#tests/factories/pictures.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { makeClaimed, ticketsFloor } from '#tests/factories/tickets.ts'
import { makeCollector, makeUnit } from '#tests/factories/units.ts'
import type { TestClock } from '#tests/support/clock.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, request } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let app: Machine
let asha: Person
let ben: Person
let director: Person
/** Holds the case the complaint is about. */
let holder: Person
/** A collector of another agency. */
let stranger: Person
let holderId: string

beforeAll(async () => {
  floor = await ticketsFloor()
  app = await machineOf(floor, ['feedback'])
  ;[asha, ben, director] = (await Promise.all(
    ['customer_service', 'customer_service2', 'director'].map((account) => floor.signIn(account)),
  )) as [Person, Person, Person]
  const made = await makeCollector(floor, await makeUnit(floor), { role: 'collection_specialist' })
  holderId = made.userId
  holder = await floor.signIn(made.account)
  stranger = await floor.signIn(
    (
      await makeCollector(floor, await makeUnit(floor, { inHouse: false }), {
        role: 'collection_specialist',
      })
    ).account,
  )
})
afterAll(() => floor.close())

const customer = async () => (await makeOrder(floor, { status: 30 })).customerId
const words = { type: 1, content: 'The app shows this when I pay', contactWay: 'phone' } as const
async function keptFiles(): Promise<number> {
  return (
    (
      await sql<{
        n: number
      }>`select count(*)::int as n from file_object o where o.purpose = 'ticket'`.execute(
        floor.database.kysely,
      )
    ).rows[0]?.n ?? -1
  )
}
const stepsOf = async (feedbackId: string, person = asha) =>
  (await person.call(ticketSteps, { feedbackId })).steps

test("files sent with a new ticket are shown with the customer's first message", async () => {
  const { feedbackId } = await asha.call(
    addTicket,
    withFiles({ userId: await customer(), ...words }, [PNG, PDF]),
  )
  const { ticket } = await asha.call(ticketDetail, { feedbackId })
  expect(ticket.files.map(({ kind }) => kind)).toEqual(['png', 'pdf'])
  expect((await asha.call(listTickets, { feedbackId })).rows[0]?.files).toEqual(ticket.files)
  expect((await stepsOf(feedbackId)).map(({ kind, files }) => [kind, files])).toEqual([
    ['created', ticket.files],
  ])

  const picture = await director.send(ticketFile, { feedbackId, fileId: ticket.files[0]?.fileId })
  expectPainted(picture, PNG)
  const paper = await asha.send(ticketFile, { feedbackId, fileId: ticket.files[1]?.fileId })
  expect(paper.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(
      new RegExp(`^attachment; filename="${feedbackId}-\\d+-2\\.pdf"$`),
    ),
  })
  expect(paper.rawPayload.equals(PDF)).toBe(true)
  const { rows } = await sql<{ user_id: string }>`
    select l.user_id
    from operate_log l
    where l.action = 'ticketFile' and l.target_id = ${feedbackId}
    order by l.id`.execute(floor.database.kysely)
  expect(rows.map((row) => row.user_id)).toEqual([director.userId, asha.userId])
})

test('files of a reply or a note belong to that step, and its text keeps its line breaks', async () => {
  const { feedbackId, version } = await makeClaimed(floor, asha)
  const replied = await asha.call(
    replyTicket,
    withFiles(
      {
        feedbackId,
        version,
        content: 'Please press here:\nsee the picture',
        remark: 'sent a picture',
      },
      [PNG],
    ),
  )
  const note = await asha.call(
    replyTicket,
    withFiles(
      { feedbackId, version: replied.version, content: 'His bank statement', internal: true },
      [PDF, PNG],
    ),
  )
  expect(note).toMatchObject({ files: [], firstReplyTime: replied.firstReplyTime })
  const steps = await stepsOf(feedbackId)
  expect(steps.map(({ kind, files }) => [kind, files.map((file) => file.kind)])).toEqual([
    ['created', []],
    ['claimed', []],
    ['reply', ['png']],
    ['note', ['pdf', 'png']],
  ])
  expect(steps[2]).toMatchObject({
    content: 'Please press here:\nsee the picture',
    remark: 'sent a picture',
    internal: false,
  })
})

test('the customer app sends pictures with a new ticket and with a further message', async () => {
  const userId = await customer()
  const inline = { base64: PNG.toString('base64') }
  const { feedbackId } = await app.call(inboundFeedback, {
    userId,
    ...words,
    files: [inline, { base64: PDF.toString('base64') }],
  })
  await app.call(inboundFeedback, {
    userId,
    feedbackId,
    ...words,
    content: 'And this one',
    files: [inline],
  })
  expect(
    (await stepsOf(feedbackId)).map(({ kind, files }) => [kind, files.map((file) => file.kind)]),
  ).toEqual([
    ['created', ['png', 'pdf']],
    ['customerMessage', ['png']],
  ])
  const before = await keptFiles()
  expect(
    await app.refused(inboundFeedback, {
      userId,
      ...words,
      files: [{ base64: Buffer.from('<svg><script>1</script></svg>').toString('base64') }],
    }),
  ).toMatchObject({ code: 400, problem: { id: 'G-FILE' } })
  expect(
    (
      await app.refused(inboundFeedback, {
        userId,
        ...words,
        files: Array.from({ length: 6 }, () => inline),
      })
    ).code,
  ).toBe(400)
  expect(await keptFiles()).toBe(before)
})

test('files of another type, too many or too large are refused at their field and not stored', async () => {
  const userId = await customer()
  const claimed = await makeClaimed(floor, asha)
  const before = await keptFiles()
  const refused = async (files: readonly Buffer[]) => [
    await asha.refused(addTicket, withFiles({ userId, ...words }, files)),
    await asha.refused(
      replyTicket,
      withFiles(
        { feedbackId: claimed.feedbackId, version: claimed.version, content: 'See here' },
        files,
      ),
    ),
  ]
  const at = (problem: string, key: string) => ({
    problem: { id: problem },
    data: { fields: { files: key } },
  })
  for (const [what, file] of REFUSED_FILES)
    for (const answer of await refused([PNG, file]))
      expect(answer, what).toMatchObject(at('G-FILE', 'ui:fault.fileKind'))
  for (const answer of await refused(Array.from({ length: 6 }, () => PNG)))
    expect(answer).toMatchObject(at('G-FILE', 'maxItems'))
  for (const answer of await refused([Buffer.concat([PNG, Buffer.alloc(ATTACHED.bytes)])]))
    expect(answer).toMatchObject(at('G-SIZE', 'ui:fault.fileSize'))
  // refused for another reason: its files are not stored either
  expect((await asha.refused(addTicket, withFiles({ userId: 'C999', ...words }))).problem?.id).toBe(
    'G404',
  )
  expect(
    (
      await ben.refused(
        replyTicket,
        withFiles({
          feedbackId: claimed.feedbackId,
          version: claimed.version,
          content: 'See here',
        }),
      )
    ).problem?.id,
  ).toBe('F-OWN')
  expect(
    (
      await asha.refused(
        replyTicket,
        withFiles({ feedbackId: claimed.feedbackId, version: 99, content: 'See here' }),
      )
    ).problem?.id,
  ).toBe('G409')
  expect((await director.refused(addTicket, withFiles({ userId, ...words }))).code).toBe(403)
  expect((await asha.call(listTickets, { userId })).total).toBe(0)
  expect((await stepsOf(claimed.feedbackId)).map(({ kind }) => kind)).toEqual([
    'created',
    'claimed',
  ])
  expect(await keptFiles()).toBe(before)
})

test('a file id cannot be used to attach a file somebody else uploaded', async () => {
  const { feedbackId } = await asha.call(
    addTicket,
    withFiles({ userId: await customer(), ...words }),
  )
  const fileId = (await asha.call(ticketDetail, { feedbackId })).ticket.files[0]?.fileId ?? ''
  const userId = await customer()
  for (const files of [fileId, [fileId], [{ fileId }]]) {
    const { code } = (
      await request(
        floor.manage.app,
        { ...addTicket, files: undefined },
        { userId, ...words, files },
        { authorization: ben.token },
      )
    ).json<{ code: number }>()
    expect(code).toBe(400)
  }
  const form = new FormData()
  for (const [name, value] of Object.entries({ userId, ...words, files: fileId }))
    form.append(name, String(value))
  const message = new Response(form)
  const sent = await floor.manage.app.inject({
    method: 'POST',
    url: `/api/manage${addTicket.path}`,
    payload: Buffer.from(await message.arrayBuffer()),
    headers: {
      authorization: ben.token,
      'idempotency-key': randomUUID(),
      'content-type': message.headers.get('content-type') ?? '',
    },
  })
  expect(sent.json<{ code: number }>().code).toBe(400)
  // and the database refuses a file with two steps
  await expect(
    sql`
      insert into feedback_file (step_id, n, file_id) select max(s.id), 5, ${fileId} from feedback_step s`.execute(
      floor.database.kysely,
    ),
  ).rejects.toThrow(/feedback_file_file_id_key/)
})

test('a file can be opened only through its own ticket by people who see that ticket', async () => {
  const [one, two] = [
    (await asha.call(addTicket, withFiles({ userId: await customer(), ...words }))).feedbackId,
    (await asha.call(addTicket, withFiles({ userId: await customer(), ...words }))).feedbackId,
  ]
  const [fileId = '', other = ''] = await Promise.all(
    [one, two].map(
      async (feedbackId) => (await asha.call(ticketDetail, { feedbackId })).ticket.files[0]?.fileId,
    ),
  )
  const missing = (await asha.send(ticketFile, { feedbackId: one, fileId: 'F0' })).body
  for (const swapped of [
    { feedbackId: one, fileId: other },
    { feedbackId: two, fileId },
    { feedbackId: 'FB99999999', fileId },
  ])
    expect((await asha.send(ticketFile, swapped)).body).toBe(missing)
  // an operations ticket is not in a collector's queue
  for (const person of [holder, stranger])
    expect((await person.refused(ticketFile, { feedbackId: one, fileId })).problem?.id).toBe('G404')
  expect(
    (await (await floor.signIn('reviewer')).refused(ticketFile, { feedbackId: one, fileId })).code,
  ).toBe(403)
})

test('the files of a complaint are hidden from the person it is about', async () => {
  const made = await makeCase(floor, { collectorId: holderId, overdueDays: 2 })
  const complaint = (
    await asha.call(
      addTicket,
      withFiles({
        userId: made.customerId,
        type: 4,
        content: 'He wrote this to my sister',
        contactWay: 'phone',
      }),
    )
  ).feedbackId
  const question = (
    await asha.call(
      addTicket,
      withFiles({
        userId: made.customerId,
        orderId: made.orderId,
        type: 3,
        content: 'I have paid this one',
        contactWay: 'phone',
      }),
    )
  ).feedbackId
  const fileOf = async (feedbackId: string) =>
    (await asha.call(ticketDetail, { feedbackId })).ticket.files[0]?.fileId ?? ''
  expect(
    (await holder.send(ticketFile, { feedbackId: question, fileId: await fileOf(question) }))
      .statusCode,
  ).toBe(200)
  expect(
    (await holder.refused(ticketFile, { feedbackId: complaint, fileId: await fileOf(complaint) }))
      .problem?.id,
  ).toBe('G404')
  // nor through another ticket they can see
  expect(
    (await holder.refused(ticketFile, { feedbackId: question, fileId: await fileOf(complaint) }))
      .problem?.id,
  ).toBe('G404')
  expect(
    (await stranger.refused(ticketFile, { feedbackId: question, fileId: await fileOf(question) }))
      .problem?.id,
  ).toBe('G404')
})

test('a repeated key writes one reply, and the same text with another file is a different request', async () => {
  const { feedbackId, version } = await makeClaimed(floor, asha)
  const key = { 'idempotency-key': randomUUID() }
  const input = { feedbackId, version, content: 'See the picture' }
  const answers = await Promise.all([1, 2].map(() => asha.call(replyTicket, withFiles(input), key)))
  expect(answers[0]).toEqual(answers[1])
  expect(
    (await stepsOf(feedbackId))
      .filter(({ kind }) => kind === 'reply')
      .map(({ files }) => files.length),
  ).toEqual([1])
  expect((await asha.refused(replyTicket, withFiles(input, [PDF]), key)).problem?.id).toBe('G-IK')
})

test('no file is accepted without a session, and a request without files still works', async () => {
  const userId = await customer()
  expect(
    (await request(floor.manage.app, addTicket, withFiles({ userId, ...words }), {})).json<{
      code: number
    }>().code,
  ).toBe(401)
  const { feedbackId } = await asha.call(addTicket, { userId, ...words })
  const claimed = await asha.call(claimTicket, { feedbackId, version: 1 })
  expect(
    await asha.call(
      replyTicket,
      withFiles({ feedbackId, version: claimed.version, content: 'Hello' }, []),
    ),
  ).toMatchObject({ feedbackId })
  expect((await stepsOf(feedbackId)).flatMap(({ files }) => files)).toEqual([])
})
