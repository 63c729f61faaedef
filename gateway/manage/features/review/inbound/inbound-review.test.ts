import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verhoeffDigit } from '#gateway/manage/features/customers/public.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import type { Floor } from '#tests/support/manage.ts'
import { makeProduct } from '#tests/factories/orders.ts'
import { pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { makeReview, reviewFloor } from '#tests/factories/reviews.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'

type Result = InputOf<typeof inboundMachineReview>
let floor: Floor
let app: Machine
let engine: Machine

beforeAll(async () => {
  floor = await reviewFloor()
  app = await machineOf(floor, ['application'])
  engine = await machineOf(floor, ['machineReview'])
})
afterAll(() => floor.close())

function result(reviewId: string, given: Partial<Result> = {}): Result {
  return {
    reviewId,
    machineId: 'MR77',
    result: 'undecided',
    needManual: true,
    score: 512,
    limit: 2_000_000,
    rules: [{ code: 'R1', name: 'Velocity', hit: true, output: 'teleVerify' }],
    ...given,
  }
}
async function stored(reviewId: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select r.state, r.machine_id, r.machine_state, r.need_manual, r.priority, r.machine_report,
      r.queued_at is not null as queued, r.finished_at is not null as finished, o.status from review r
      join loan_order o on o.id = r.order_id where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  return rows[0]
}

const card = '23456789012'
async function makeGiven(name: string, phone: string) {
  const product = await makeProduct(floor)
  return {
    ...product,
    amount: 1_500_000,
    kfsVersion: 'KFS-1',
    kfsAcceptTime: new Date().toISOString(),
    customer: {
      name,
      panName: name,
      phone,
      pan: 'ABCPM1234K',
      aadhaar: card + verhoeffDigit(card),
      birthday: '1994-02-11',
      sex: 'female',
      address: '4 Park Road, Pune',
      city: 'Pune',
      postcode: '411001',
      monthlyIncome: 4_500_000,
    } as const,
    contacts: ['Ravi', 'Leela', 'Arun'].map((relative, n) => ({
      relation: 'family',
      name: relative,
      phone: `981234567${n + 1}`,
    })),
    bankCard: {
      holder: name,
      bankName: 'HDFC Bank',
      account: '501234567890',
      ifsc: 'HDFC0001234',
      bound: true,
      nameSimilarity: 9_300,
    },
  }
}
const photoOf = (bytes: Buffer) =>
  ({ kind: 'aadhaarFront', mime: 'image/jpeg', base64: bytes.toString('base64') }) as const

test('an application with a corrupt photo is refused, and accepted when sent again intact', async () => {
  const application = await makeGiven('Asha Iyer', '9812345680')
  const sent = await telephonePhoto()
  expect(
    await app.refused(inboundApplication, {
      ...application,
      photos: [photoOf(sent.subarray(0, sent.length / 2))],
    }),
  ).toMatchObject({
    code: 400,
    problem: { id: 'G-FIELD' },
    data: { fields: { 'photos.0.base64': 'imageType' } },
  })
  const { rows: refused } = await sql`
      select l.action from operate_log l where l.action = 'application' and l.result <> 'ok'
        order by l.id desc limit 1`.execute(floor.database.kysely)
  expect(refused).toHaveLength(1)
  expect(
    (await sql`select from customer c where c.name = 'Asha Iyer'`.execute(floor.database.kysely))
      .rows,
  ).toHaveLength(0)
  const { userId } = await app.call(inboundApplication, { ...application, photos: [photoOf(sent)] })
  const { rows } = await sql<{
    id: string
    content: Buffer
  }>`
    select f.id, f.content
    from customer_photo p join file_object f on f.id = p.file_id
    where p.customer_id = ${userId}`.execute(floor.database.kysely)
  const [{ id, content } = { id: '', content: Buffer.alloc(0) }] = rows
  const [red] = (
    await pixelsOf(
      Buffer.from(floor.context.secrets.open('file_object.content', id, content), 'base64'),
    )
  ).at(600, 640)
  expect([rows.length, red < 0x20]).toEqual([1, true])
})

test('an application creates an order in 10 and a review for the machine', async () => {
  const { orderId, reviewId, userId } = await app.call(
    inboundApplication,
    await makeGiven('Meera Iyer', '9812345670'),
  )
  const { rows } = await sql<Record<string, unknown>>`
    select r.state, r.order_id, r.customer_id, r.customer_name, r.amount, r.customer_class, r.bind_state,
      r.name_similarity, o.status from review r join loan_order o on o.id = r.order_id
      where r.id = ${reviewId}`.execute(floor.database.kysely)
  expect(rows).toEqual([
    {
      state: 'initial',
      order_id: orderId,
      customer_id: userId,
      customer_name: 'Meera Iyer',
      amount: 1_500_000,
      customer_class: 'new',
      bind_state: 'bound',
      name_similarity: 9_300,
      status: 10,
    },
  ])
})

test('an undecided result queues the review with its priority and report', async () => {
  const { reviewId, orderId } = await makeReview(floor, { state: 'initial' })
  const before = (await floor.events()).at(-1)?.seq ?? 0
  expect(await engine.call(inboundMachineReview, result(reviewId, { priority: 7 }))).toEqual({
    orderId,
    status: 22,
    reviewState: 'unclaimed',
  })
  expect(await stored(reviewId)).toMatchObject({
    state: 'unclaimed',
    status: 22,
    machine_id: 'MR77',
    machine_state: 'undecided',
    need_manual: true,
    priority: 7,
    queued: true,
    finished: false,
    machine_report: {
      score: 512,
      limit: 2_000_000,
      rules: [{ code: 'R1', name: 'Velocity', hit: true, output: 'teleVerify' }],
    },
  })
  expect((await floor.events(before)).map((event) => event.type)).toEqual([
    'order.status.changed',
    'review.state.changed',
    'review.queued',
  ])
  expect(await engine.refused(inboundMachineReview, result(reviewId))).toMatchObject({
    code: 409,
    problem: { id: 'V-STATE', params: { state: 'unclaimed' } },
  })
})

test.each([
  ['passed', { needManual: false }, { state: 'initial', status: 20, finished: true }],
  ['passed', { needManual: true }, { state: 'unclaimed', status: 22, finished: false }],
  [
    'failed',
    { needManual: false, refusalCode: 'R14' },
    { state: 'initial', status: 21, finished: true },
  ],
  [
    'limitFailed',
    { needManual: false, limit: 50_000 },
    { state: 'initial', status: 23, finished: true },
  ],
  ['error', { needManual: false }, { state: 'abnormal', status: 10, finished: false }],
] as const)('a machine result %s %j leaves %j', async (outcome, given, ending) => {
  const { reviewId } = await makeReview(floor, { state: 'initial' })
  await engine.call(inboundMachineReview, result(reviewId, { result: outcome, ...given }))
  expect(await stored(reviewId)).toMatchObject({ ...ending, machine_state: outcome })
})

test.each([
  [
    'passed',
    { limit: 2_000_000 },
    { state: 'passed', final_limit: 2_000_000, base_limit: 2_000_000 },
  ],
  ['failed', { refusalCode: 'R14' }, { state: 'failed', final_limit: 0, base_limit: 0 }],
  ['limitFailed', { limit: 50_000 }, { state: 'failed', final_limit: 0, base_limit: 0 }],
  ['error', {}, { state: 'abnormal', final_limit: 0, base_limit: 0 }],
] as const)(
  'a machine result %s %j sets the customer’s credit to %j',
  async (outcome, given, credit) => {
    const { reviewId } = await makeReview(floor, { state: 'initial' })
    await engine.call(
      inboundMachineReview,
      result(reviewId, { result: outcome, needManual: false, ...given }),
    )
    const { rows } = await sql`
        select g.state, g.final_limit, g.base_limit from review r
          join credit_grant g on g.customer_id = r.customer_id where r.id = ${reviewId}`.execute(
      floor.database.kysely,
    )
    expect(rows).toEqual([credit])
  },
)

test("an amount above the machine's own limit goes to manual review", async () => {
  const { reviewId } = await makeReview(floor, { state: 'initial' })
  await engine.call(
    inboundMachineReview,
    result(reviewId, { result: 'passed', needManual: false, limit: 999_999 }),
  )
  expect(await stored(reviewId)).toMatchObject({ state: 'unclaimed', status: 22, finished: false })
})

test('a refusal without code, a limit not below the minimum and an unknown review are refused', async () => {
  const { reviewId } = await makeReview(floor, { state: 'initial' })
  expect(
    await engine.refused(inboundMachineReview, result(reviewId, { result: 'failed' })),
  ).toMatchObject({ code: 400, data: { fields: { refusalCode: 'required' } } })
  expect(
    await engine.refused(
      inboundMachineReview,
      result(reviewId, { result: 'limitFailed', limit: 100_000 }),
    ),
  ).toMatchObject({ problem: { id: 'O-RULE' } })
  expect(await engine.refused(inboundMachineReview, result('R404'))).toMatchObject({
    problem: { id: 'G404' },
  })
  expect(await stored(reviewId)).toMatchObject({ state: 'initial', status: 10, machine_id: null })
})

test('an order in manual review stays there when the machine runs again', async () => {
  const { reviewId } = await makeReview(floor, { state: 'initial', orderStatus: 22 })
  await engine.call(inboundMachineReview, result(reviewId, { result: 'passed', needManual: false }))
  expect(await stored(reviewId)).toMatchObject({ state: 'unclaimed', status: 22 })
})

test('the same event sent twice queues the review once', async () => {
  const { reviewId } = await makeReview(floor, { state: 'initial' })
  const [first, second] = [
    await engine.call(inboundMachineReview, result(reviewId), { eventId: 'EV-1' }),
    await engine.call(inboundMachineReview, result(reviewId), { eventId: 'EV-1' }),
  ]
  expect(second).toEqual(first)
  const { rows } = await sql<{
    n: number
  }>`
    select count(*)::int as n
    from review_log l
    where l.review_id = ${reviewId} and l.event = 'MACHINE_UNDECIDED'`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ n: 1 }])
})
