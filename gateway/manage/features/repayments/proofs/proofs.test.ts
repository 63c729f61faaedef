/** Payment proofs from the receipt to the ledger: files, the hold, decisions, concurrency. */
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { resumeStops } from '#shared/collection/stops-api.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { ORDERS_MENU } from '#shared/orders/orders-menu.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import {
  addProof,
  decideProof,
  inboundProof,
  listProofs,
  proofFile,
} from '#shared/repayments/proofs-api.ts'
import * as api from '#shared/repayments/repayments-api.ts'
import { REPAYMENTS_MENU } from '#shared/repayments/repayments-menu.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { casePaid } from '#gateway/manage/features/collection/public.ts'
import { workRoutes } from '#gateway/manage/features/collection/work-routes.ts'
import { ordersRoutes } from '#gateway/manage/features/orders/orders-routes.ts'
import { makeCase, type MadeCase } from '#tests/factories/cases.ts'
import { PDF, PNG, REFUSED_FILES, withFiles } from '#tests/factories/files.ts'
import {
  CAMERA,
  expectPainted,
  pixelBomb,
  pixelsOf,
  telephonePhoto,
} from '#tests/factories/pictures.ts'
import { makeCollector, makeLeader, makeUnit, type Unit } from '#tests/factories/units.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, request, testManage } from '#tests/support/manage.ts'
import { repaymentsRoutes } from '../repayments-routes.ts'

let floor: Floor
let home: Unit
let holder: { userId: string; account: string }
let collector: Person
let leader: Person
let manager: Person
let service: Person
let stranger: Person
let app: Machine
let channel: Machine
let serial = 0

/** 10,000.00 and 150.00 interest, due twelve days ago: 120.00 of fine. */
const DUE = 1_000_000 + 15_000 + 12_000

beforeAll(async () => {
  floor = await testManage({
    parts: (context) => ({
      menus: [...ORDERS_MENU, ...REPAYMENTS_MENU, ...SETUP_MENU, ...WORK_MENU],
      routes: (base) => {
        ordersRoutes(base, context, { whenCancelled: [] })
        repaymentsRoutes(base, context, { whenPaid: [casePaid] })
        workRoutes(base, context)
      },
    }),
  })
  home = await makeUnit(floor, { weight: 100, inHouse: true })
  const away = await makeUnit(floor, { inHouse: false })
  holder = await makeCollector(floor, home, { account: 'collector' })
  ;[collector, manager, service, channel, app] = await Promise.all([
    floor.signIn(holder.account),
    floor.signIn('manager'),
    floor.signIn('customer_service'),
    machineOf(floor, ['payment']),
    machineOf(floor, ['proof']),
  ])
  leader = await floor.signIn((await makeLeader(floor, home, 'team_leader')).account)
  stranger = await floor.signIn((await makeCollector(floor, away)).account)
})
afterAll(() => floor.close())
afterEach(async () => {
  await floor.settle()
  expect(await brokenInvariants(floor.database)).toEqual([])
})

const overdue = () => makeCase(floor, { overdueDays: 12, collectorId: holder.userId })
const utrOf = () => String(710_000_000_000 + (serial += 1))
const proofOf = ({ orderId }: MadeCase, more: object = {}) => ({
  orderId,
  amount: DUE,
  utr: utrOf(),
  payTime: new Date(Date.now() - 60_000).toISOString(),
  channel: 2,
  ...more,
})
const add = async (person: Person, input: ReturnType<typeof proofOf>, files?: readonly Buffer[]) =>
  (await person.call(addProof, withFiles(input, files))).proofId
async function rowOf(proofId: string, person = manager) {
  const [row] = (await person.call(listProofs, { proofId })).rows
  if (!row) throw new Error('no such proof')
  return row
}
const paid = { repaymentType: 'full' as const, amount: DUE, upi: '-', channel: 2, bankCode: 'HDFC' }
async function accept(person: Person, proofId: string, more: object = {}) {
  const { version, utr } = await rowOf(proofId)
  return person.call(decideProof, { proofId, version, result: 'accepted', ...paid, utr, ...more })
}
async function caseOf({ caseId }: MadeCase) {
  const { rows } = await sql<{
    state: string
    hold_reason: string | null
    collector_id: string | null
    end_reason: string | null
  }>`select c.state, c.hold_reason, c.collector_id, c.end_reason from collection_case c where c.id = ${caseId}`.execute(
    floor.database.kysely,
  )
  return rows[0]
}
const orderOf = async ({ orderId }: MadeCase) =>
  (await manager.call(orderDetail, { orderId })).order

test('a receipt holds the case; when another person accepts it, it is booked and received at once', async () => {
  const made = await overdue()
  const since = (await floor.events()).at(-1)?.seq ?? 0
  const proofId = await add(collector, proofOf(made), [PNG, PDF])
  expect(await caseOf(made)).toMatchObject({ state: 'held', hold_reason: 'proofCheck' })
  expect(await rowOf(proofId, collector)).toMatchObject({
    orderId: made.orderId,
    state: 'pending',
    submitter: 'staff',
    submitById: collector.userId,
    fileKinds: ['png', 'pdf'],
    duplicate: false,
    duplicateOf: null,
    recordId: null,
    version: 1,
  })

  const { version, utr } = await rowOf(proofId)
  const { proof, recordId } = await service.call(decideProof, {
    proofId,
    version,
    result: 'accepted',
    ...paid,
    utr,
  })
  expect(proof).toMatchObject({
    state: 'accepted',
    recordId,
    decideBy: 'Customer service 1',
    decideById: service.userId,
    duplicate: false,
    version: 2,
  })
  expect(await orderOf(made)).toMatchObject({ status: 40, outstanding: 0 })
  const { record, proofId: receipt } = await manager.call(api.recordDetail, {
    recordId: recordId ?? '',
  })
  expect(receipt).toBe(proofId)
  expect(record).toMatchObject({
    source: 'proof',
    payState: 'success',
    amount: DUE,
    utr,
    operatorId: collector.userId,
    confirmerName: 'Customer service 1',
    payTime: proof.payTime,
  })
  expect(await caseOf(made)).toMatchObject({ state: 'closed', end_reason: 'repaid' })
  const events = await floor.events(since)
  const news = events.filter(({ type }) => type === 'proof.changed')
  expect(news.map(({ data, entity_version: at }) => [data.state, at])).toEqual([
    ['pending', 1],
    ['accepted', 2],
  ])
  expect(news[0]?.rooms).toEqual(
    expect.arrayContaining([
      `order:${made.orderId}`,
      'menu:repay_proof',
      `user:${collector.userId}`,
    ]),
  )
  expect(
    events
      .filter(({ type, data }) => type === 'case.stop.changed' && data.reason === 'proofCheck')
      .map(({ data }) => data.state),
  ).toEqual(['active', 'ended'])
  expect(JSON.stringify(news)).not.toContain(utr)
  const { rows: notifications } = await sql<{
    title_key: string
  }>`select n.title_key from notification n where n.user_id = ${collector.userId} and n.kind = 'decision'`.execute(
    floor.database.kysely,
  )
  expect(notifications).toEqual([{ title_key: 'repayments:notification.proof.accepted' }])
})

test('a partial acceptance and a rejection return the case to its holder', async () => {
  const made = await overdue()
  const part = await add(leader, proofOf(made, { amount: 200_000 }))
  await accept(service, part, { repaymentType: 'partial', amount: 200_000 })
  expect(await orderOf(made)).toMatchObject({ status: 50, outstanding: DUE - 200_000 })
  expect(await caseOf(made)).toMatchObject({
    state: 'allocated',
    hold_reason: null,
    collector_id: holder.userId,
  })

  const other = await add(collector, proofOf(made))
  expect(
    (await manager.refused(decideProof, { proofId: other, version: 1, result: 'rejected' })).problem
      ?.id,
  ).toBe('M-REA')
  const { proof, recordId } = await manager.call(decideProof, {
    proofId: other,
    version: 1,
    result: 'rejected',
    reason: 'Another account was paid',
  })
  expect({ ...proof, recordId }).toMatchObject({
    state: 'rejected',
    reason: 'Another account was paid',
    recordId: null,
  })
  expect(await caseOf(made)).toMatchObject({ state: 'allocated', hold_reason: null })
  expect(
    (
      await manager.refused(decideProof, {
        proofId: other,
        version: 2,
        result: 'rejected',
        reason: 'Once more',
      })
    ).problem,
  ).toMatchObject({ id: 'M-PRFST', params: { state: 'rejected' } })
})

test('the value date is the time of the transfer, and the fines of the days since are reversed', async () => {
  const made = await overdue()
  const proofId = await add(
    collector,
    proofOf(made, {
      payTime: new Date(Date.now() - 2 * 86_400_000).toISOString(),
      amount: DUE - 2_000,
    }),
  )
  expect(
    (
      await service.refused(decideProof, {
        proofId,
        version: 1,
        result: 'accepted',
        ...paid,
        utr: utrOf(),
      })
    ).problem,
  ).toMatchObject({ id: 'M-AMT', params: { amount: DUE - 2_000 } })
  await accept(service, proofId, { amount: DUE - 2_000 })
  expect(await orderOf(made)).toMatchObject({ status: 40, outstanding: 0 })
})

test('users cannot decide their own submission, and accepting requires every field', async () => {
  const made = await overdue()
  const proofId = await add(manager, proofOf(made))
  for (const result of ['accepted', 'rejected'] as const)
    expect(
      (
        await manager.refused(decideProof, {
          proofId,
          version: 1,
          result,
          reason: 'Looks right',
          ...paid,
          utr: utrOf(),
        })
      ).problem?.id,
    ).toBe('G-SELF')
  const refused = await service.refused(decideProof, {
    proofId,
    version: 1,
    result: 'accepted',
    amount: DUE,
  })
  expect(refused).toMatchObject({
    code: 400,
    data: {
      fields: {
        repaymentType: 'required',
        utr: 'required',
        upi: 'required',
        channel: 'required',
        bankCode: 'required',
      },
    },
  })
  expect(
    (
      await service.refused(decideProof, {
        proofId,
        version: 7,
        result: 'accepted',
        ...paid,
        utr: utrOf(),
      })
    ).problem?.id,
  ).toBe('G409')
  expect(
    (
      await collector.refused(decideProof, {
        proofId,
        version: 1,
        result: 'rejected',
        reason: 'Not mine to say',
      })
    ).code,
  ).toBe(403)
})

test('a transfer that is already booked is refused and named, before and after the proof was submitted', async () => {
  const made = await overdue()
  const receipt = proofOf(made)
  const proofId = await add(collector, receipt)
  expect((await leader.refused(addProof, withFiles(receipt))).problem).toMatchObject({
    id: 'M-PROOF',
    params: { proofId },
  })
  // the channel reports the same transfer meanwhile
  const first = await channel.call(inboundPayment, {
    vendorOrderNo: randomUUID(),
    orderId: made.orderId,
    amount: DUE,
    utr: receipt.utr,
    channel: 1,
    result: 'success',
  })
  expect(await rowOf(proofId)).toMatchObject({
    duplicate: true,
    duplicateOf: { recordId: first.recordId, orderId: made.orderId },
  })
  expect(await rowOf(proofId, collector)).toMatchObject({ duplicate: true, duplicateOf: null })
  expect(
    await service.refused(decideProof, {
      proofId,
      version: 1,
      result: 'accepted',
      ...paid,
      utr: receipt.utr,
    }),
  ).toMatchObject({ problem: { id: 'M-UTR' }, data: { recordId: first.recordId } })
  await service.call(decideProof, {
    proofId,
    version: 1,
    result: 'rejected',
    reason: 'Counted already',
  })
  const again = await overdue()
  expect(
    (await collector.refused(addProof, withFiles({ ...proofOf(again), utr: receipt.utr }))).problem,
  ).toMatchObject({ id: 'M-UTR', params: { orderId: made.orderId } })
})

test('a proof is visible to users who may see its order', async () => {
  const made = await overdue()
  const proofId = await add(collector, proofOf(made))
  const {
    fileIds: [fileId = ''],
  } = await rowOf(proofId)
  for (const person of [collector, leader, manager, service])
    expect((await person.call(listProofs, { orderId: made.orderId })).total).toBe(1)
  expect((await stranger.call(listProofs, { orderId: made.orderId })).total).toBe(0)
  expect((await stranger.refused(addProof, withFiles(proofOf(made)))).problem?.id).toBe('G404')
  expect((await stranger.refused(proofFile, { proofId, fileId })).problem?.id).toBe('G404')
  expect(
    (await manager.call(listProofs, { state: 'pending' })).rows.map((row) => row.createTime),
  ).toEqual(
    (await manager.call(listProofs, { state: 'pending', sort: 'createTime:asc' })).rows.map(
      (row) => row.createTime,
    ),
  )
})

test("a proof is stored sealed, shown with the viewer's watermark, and each opening is logged", async () => {
  const made = await overdue()
  const sent = await telephonePhoto({ width: 720, height: 1_280 })
  const proofId = await add(collector, proofOf(made), [sent, PDF])
  const { fileIds } = await rowOf(proofId)
  const picture = await manager.send(proofFile, { proofId, fileId: fileIds[0] })
  expectPainted(picture, sent)
  const file = await manager.send(proofFile, { proofId, fileId: fileIds[1] })
  expect(file.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${proofId}-2.pdf"`,
  })
  expect(file.rawPayload.equals(PDF)).toBe(true)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from operate_log l where l.action = 'proofFile' and l.target_id = ${proofId}`.execute(
    floor.database.kysely,
  )
  expect(rows).toEqual([{ n: 2 }])
  const stored = await sql<{
    id: string
    content: Buffer
    sha256: Buffer
  }>`select o.id, o.content, o.sha256 from file_object o where o.id = ${fileIds[0]}`.execute(
    floor.database.kysely,
  )
  const { id = '', content = Buffer.alloc(0), sha256 } = stored.rows[0] ?? {}
  const kept = Buffer.from(floor.context.secrets.open('file_object.content', id, content), 'base64')
  expect([content.includes(kept), kept.includes(CAMERA), await pixelsOf(kept)]).toMatchObject([
    false,
    false,
    { width: 720, height: 1_280 },
  ])
  expect(sha256).toEqual(createHash('sha256').update(kept).digest())
})

test('a file that is neither picture nor PDF is refused with a field error and not kept', async () => {
  const made = await overdue()
  const refused = async (files: readonly Buffer[]) =>
    (await collector.send(addProof, withFiles(proofOf(made), files))).json<{
      code: number
      problem: { id: string }
      data: { fields: Record<string, string> }
    }>()
  expect(await refused([])).toMatchObject({
    code: 400,
    problem: { id: 'G-FILE' },
    data: { fields: { files: 'required' } },
  })
  expect(await refused([PNG, PNG, PNG, PNG])).toMatchObject({
    data: { fields: { files: 'maxItems' } },
  })
  for (const [what, file] of REFUSED_FILES)
    expect(await refused([file]), what).toMatchObject({
      problem: { id: 'G-FILE' },
      data: { fields: { files: 'ui:fault.fileKind' } },
    })
  expect(await refused([Buffer.concat([PNG, Buffer.alloc(5 * 1_048_576)])])).toMatchObject({
    problem: { id: 'G-SIZE' },
    data: { fields: { files: 'ui:fault.fileSize' } },
  })
  expect(await refused([pixelBomb()])).toMatchObject({
    code: 400,
    problem: { id: 'G-FILE' },
    data: { fields: { files: 'ui:fault.fileSize' } },
  })
  expect(
    (
      await collector.refused(
        addProof,
        withFiles(proofOf(made, { utr: '12', payTime: 'yesterday', channel: 9 })),
      )
    ).data,
  ).toEqual({ fields: { utr: 'pattern', payTime: 'pattern', channel: 'maximum' } })
  expect(
    (
      await collector.refused(
        addProof,
        withFiles(proofOf(made, { payTime: new Date(Date.now() + 3_600_000).toISOString() })),
      )
    ).data,
  ).toEqual({ fields: { payTime: 'repayments:fault.future' } })
  expect(
    (
      await collector.refused(addProof, {
        ...proofOf(made),
        ...({ files: [PNG], role: 'x' } as object),
      })
    ).data,
  ).toEqual({ fields: { role: 'unknown' } })
  expect((await manager.call(listProofs, { orderId: made.orderId })).total).toBe(0)
  expect(await caseOf(made)).toMatchObject({ state: 'allocated' })
})

test('without a session no body is read, and one idempotency key gives one proof', async () => {
  const made = await overdue()
  const input = withFiles(proofOf(made))
  expect((await request(floor.manage.app, addProof, input, {})).json<{ code: number }>().code).toBe(
    401,
  )
  const key = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all([
    collector.call(addProof, input, key),
    collector.call(addProof, input, key),
  ])
  expect(answers[0]).toEqual(answers[1])
  expect((await manager.call(listProofs, { orderId: made.orderId })).total).toBe(1)
  // the same fields with another file are another request
  expect(
    (await collector.refused(addProof, { ...input, ...({ files: [PDF] } as object) }, key)).problem
      ?.id,
  ).toBe('G-IK')
})

test('the app submits a borrower’s receipt, and a reviewer checks it', async () => {
  const made = await overdue()
  const { proofId } = await app.call(inboundProof, {
    ...proofOf(made),
    files: [{ base64: PNG.toString('base64') }],
  })
  expect(await rowOf(proofId)).toMatchObject({
    submitter: 'customer',
    submitById: null,
    fileKinds: ['png'],
  })
  expect(await caseOf(made)).toMatchObject({ state: 'held', hold_reason: 'proofCheck' })
  await accept(service, proofId)
  expect(await orderOf(made)).toMatchObject({ status: 40 })
})

test('a hold that a leader ended stays ended, and an order without a case accepts a proof', async () => {
  const made = await overdue()
  const proofId = await add(collector, proofOf(made))
  const {
    rows: [stop],
  } = await sql<{
    id: string
  }>`select s.id from stop_collection s where s.proof_id = ${proofId}`.execute(
    floor.database.kysely,
  )
  await leader.call(resumeStops, {
    stopIds: [stop?.id ?? ''],
    remark: 'Borrower asked to be called',
  })
  expect(await caseOf(made)).toMatchObject({ state: 'allocated' })
  await manager.call(decideProof, {
    proofId,
    version: 1,
    result: 'rejected',
    reason: 'Not readable',
  })
  expect(await caseOf(made)).toMatchObject({ state: 'allocated' })
})

test('two concurrent decisions and a payment by the channel give one decision and one payment', async () => {
  const seed = Number(process.env.SEED_RACE ?? randomInt(1_000_000))
  console.log(`proof race: SEED_RACE=${seed}`)
  let state = seed
  const pick = (n: number) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % n
  for (let round = 0; round < 5; round += 1) {
    const made = await overdue()
    const receipt = proofOf(made)
    const proofId = await add(collector, receipt)
    const decide = (person: Person) => {
      const accepts = pick(3) > 0
      return person.send(decideProof, {
        proofId,
        version: 1,
        ...(accepts
          ? { result: 'accepted', ...paid, utr: receipt.utr }
          : { result: 'rejected', reason: 'Not on the statement' }),
      })
    }
    const pay = async () =>
      channel.call(inboundPayment, {
        vendorOrderNo: randomUUID(),
        orderId: made.orderId,
        amount: DUE,
        utr: receipt.utr,
        channel: 1,
        result: 'success',
      })
    const asked = [() => decide(manager), () => decide(service), ...(pick(2) === 0 ? [pay] : [])]
    // the seed decides which comes first
    for (let i = asked.length - 1; i > 0; i -= 1) {
      const j = pick(i + 1)
      ;[asked[i], asked[j]] = [asked[j] as never, asked[i] as never]
    }
    const answers = await Promise.all(asked.map((run) => run()))
    const codes = answers.flatMap((answer) =>
      'json' in answer ? [answer.json<{ code: number; problem?: { id: string } }>()] : [],
    )
    const decided = codes.filter(({ code }) => code === 200)
    expect(
      decided.length,
      `seed ${seed} round ${round} ${JSON.stringify(codes)}`,
    ).toBeLessThanOrEqual(1)
    for (const { problem } of codes.filter(({ code }) => code !== 200))
      expect(['M-PRFST', 'M-UTR', 'O-STATE', 'M-OPEN']).toContain(problem?.id)
    const records = await sql<{
      n: number
    }>`
      select count(*)::int as n
      from repay_record r
      where r.utr = ${receipt.utr}
        and r.pay_state <> 'fail'
        and r.reversed_at is null`.execute(floor.database.kysely)
    expect(records.rows[0]?.n, `seed ${seed} round ${round}`).toBeLessThanOrEqual(1)
    const row = await rowOf(proofId)
    expect(row.state === 'accepted', `seed ${seed} round ${round}`).toBe(row.recordId !== null)
    if (row.state === 'pending')
      await service.call(decideProof, {
        proofId,
        version: row.version,
        result: 'rejected',
        reason: 'Counted already',
      })
    expect(await caseOf(made)).not.toMatchObject({ state: 'held' })
  }
})
