import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '#shared/kernel/problem.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import type { inboundResubmit } from '#shared/orders/inbound-api.ts'
import { makeFullApplication, storeCustomer, TINY_PNG } from '#tests/factories/customers.ts'
import { makeOrder } from '#tests/factories/orders.ts'
import { CAMERA, pixelBomb, pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { dumpText } from '#tests/support/dump.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { countSettlement } from './count-settlement.ts'
import { grantCredit } from './grant-credit.ts'
import { withReadyPhotos } from './ready-photos.ts'
import { replaceCustomerData } from './replace-customer-data.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())

async function resubmit(
  customerId: string,
  input: Omit<InputOf<typeof inboundResubmit>, 'reviewId'>,
): Promise<void> {
  const ready = await withReadyPhotos(input)
  await runCommand(
    floor.context,
    { actor: systemActor('test'), audit: { action: 'resubmit' } },
    (tx) => replaceCustomerData(tx, customerId, ready),
  )
}
async function one<T>(query: ReturnType<typeof sql<T>>): Promise<T> {
  return (await query.execute(floor.database.kysely)).rows[0] as T
}

test('a second application with the same phone updates the same customer', async () => {
  const first = await storeCustomer(floor, makeFullApplication(1))
  const again = await storeCustomer(
    floor,
    makeFullApplication(1, { customer: { city: 'Nagpur', maritalStatus: 'married' } }),
  )
  expect(again.customerId).toBe(first.customerId)
  expect(again).toMatchObject({
    customerName: 'Ravi Kumar 1',
    customerClass: 'new',
    blacklisted: false,
  })
  expect(
    await one(
      sql`
        select c.city, c.marital_status, c.entry_count, c.version, c.certified from customer c
          where c.id = ${first.customerId}`,
    ),
  ).toEqual({
    city: 'Nagpur',
    marital_status: 'married',
    entry_count: 2,
    version: 2,
    certified: true,
  })
})

test('data sent again is emitted with the new version, and a first application is not', async () => {
  const { customerId } = await storeCustomer(floor, makeFullApplication(8))
  const emitted = async () =>
    (await floor.events()).filter(
      ({ type, subject }) => type === 'customer.changed' && subject === `customer:${customerId}`,
    )
  expect(await emitted()).toEqual([])
  await storeCustomer(floor, makeFullApplication(8))
  await resubmit(customerId, { address: '9 Lake Road, Kochi, Kerala 682001' })
  await runCommand(
    floor.context,
    { actor: systemActor('test'), audit: { action: 'settle' } },
    (tx) => countSettlement(tx, customerId),
  )
  const rooms = ['scope:all', 'menu:customer_list', `customer:${customerId}`]
  expect(await emitted()).toMatchObject([
    {
      entity_version: 2,
      rooms,
      data: {
        userId: customerId,
        fields: ['customer', 'contacts', 'bankCard', 'extracted', 'photos', 'device'],
      },
    },
    { entity_version: 3, rooms, data: { fields: ['address'] } },
    { entity_version: 4, rooms, data: { fields: ['settlementCount'] } },
  ])
})

test("a phone that passed to another person does not give that person the former owner's loans", async () => {
  const { customer: newcomer } = makeFullApplication(91)
  const { customerId } = await storeCustomer(floor, makeFullApplication(90))
  const name = () =>
    one(sql`select c.name, c.pan_masked from customer c where c.id = ${customerId}`)
  const before = await name()
  await expect(
    storeCustomer(
      floor,
      makeFullApplication(90, {
        customer: { name: newcomer.name, pan: newcomer.pan, aadhaar: newcomer.aadhaar },
      }),
    ),
  ).rejects.toMatchObject({ id: 'O-RULE', params: { reason: 'otherPerson' } })
  expect(await name()).toEqual(before)
  // a single differing number may be a typing error
  expect(
    await storeCustomer(floor, makeFullApplication(90, { customer: { pan: newcomer.pan } })),
  ).toMatchObject({ customerId })
})

test('concurrent applications with one phone create one customer', async () => {
  const saved = await Promise.all(
    [1, 2, 3, 4].map(() => storeCustomer(floor, makeFullApplication(2))),
  )
  expect(new Set(saved.map(({ customerId }) => customerId)).size).toBe(1)
})

test('the same phone in another app is another customer', async () => {
  await sql`
    insert into app (id, code, name) values ('A2', 'second', 'Second') on conflict do nothing`.execute(
    floor.database.kysely,
  )
  const here = await storeCustomer(floor, makeFullApplication(3))
  const there = await storeCustomer(floor, makeFullApplication(3, { appId: 'A2' }))
  expect(there.customerId).not.toBe(here.customerId)
})

test('another account becomes the active card, and the same account keeps its card', async () => {
  const { customerId } = await storeCustomer(floor, makeFullApplication(4))
  await storeCustomer(floor, makeFullApplication(4, { bankCard: { bound: false } }))
  await resubmit(customerId, {
    bankCard: {
      holder: 'Ravi Kumar 4',
      bankName: 'State Bank of India',
      account: '30123456789',
      ifsc: 'SBIN0000001',
      bound: true,
      nameSimilarity: 9_000,
    },
  })
  const { rows } = await sql`
      select b.account_last4, b.active, b.bind_state from bank_card b where b.customer_id = ${customerId}
        order by b.created_at`.execute(floor.database.kysely)
  expect(rows).toEqual([
    { account_last4: '0004', active: false, bind_state: 'notBound' },
    { account_last4: '6789', active: true, bind_state: 'bound' },
  ])
})

test('data sent again replaces its part and leaves the other parts', async () => {
  const { customerId } = await storeCustomer(floor, makeFullApplication(5))
  await resubmit(customerId, {
    address: '9 Lake Road, Kochi, Kerala 682001',
    photos: [{ kind: 'pan', mime: 'image/png', base64: TINY_PNG }],
    extracted: { panName: 'R Kumar' },
  })
  expect(
    await one(sql`select c.city, c.postcode from customer c where c.id = ${customerId}`),
  ).toEqual({ city: 'Kochi', postcode: '682001' })
  const kyc = await one<{ extracted: unknown }>(
    sql`select k.extracted from customer_kyc k where k.customer_id = ${customerId}`,
  )
  expect(kyc.extracted).toMatchObject({
    pan: { name: 'R Kumar' },
    aadhaar: { last4: '1234', address: 'Pune 411001' },
    bank: { holder: 'Ravi Kumar' },
  })
  expect(
    await one(
      sql`
        select count(*)::int as pictures from customer_photo p where p.customer_id = ${customerId}
          and p.kind = 'pan'`,
    ),
  ).toEqual({ pictures: 2 })
})

test('documents are unchecked until an application passes with them, and again after a new upload', async () => {
  const { customerId } = await storeCustomer(floor, makeFullApplication(10))
  const states = () =>
    one(
      sql`select k.verify_state, k.pan_state from customer_kyc k where k.customer_id = ${customerId}`,
    )
  expect(await states()).toEqual({ verify_state: 'pending', pan_state: 'pending' })
  const { orderId } = await makeOrder(floor, { status: 20, customerId })
  await runCommand(floor.context, { actor: systemActor('test'), audit: { action: 'pass' } }, (tx) =>
    grantCredit(tx, orderId, { state: 'passed', limit: 1_000_000 }),
  )
  expect(await states()).toEqual({ verify_state: 'passed', pan_state: 'passed' })
  await resubmit(customerId, { extracted: { panName: 'R Kumar' } })
  expect(await states()).toEqual({ verify_state: 'passed', pan_state: 'pending' })
})

test.each([
  [
    'a wrong Aadhaar check digit',
    { customer: { aadhaar: '234567890123' } },
    { 'customer.aadhaar': 'checkDigit' },
  ],
  [
    'a birthday that does not exist',
    { customer: { birthday: '1993-02-29' } },
    { 'customer.birthday': 'pattern' },
  ],
  [
    'an HTML page sent as a picture',
    {
      photos: [
        {
          kind: 'pan' as const,
          mime: 'image/png' as const,
          base64: Buffer.from('<html><script>1</script></html>').toString('base64'),
        },
      ],
    },
    { 'photos.0.base64': 'imageType' },
  ],
  [
    'a truncated picture',
    {
      photos: [
        {
          kind: 'liveFace' as const,
          mime: 'image/png' as const,
          base64: Buffer.from(TINY_PNG, 'base64').subarray(0, 45).toString('base64'),
        },
      ],
    },
    { 'photos.0.base64': 'imageType' },
  ],
  [
    'a picture declared as another type',
    { photos: [{ kind: 'pan' as const, mime: 'image/jpeg' as const, base64: TINY_PNG }] },
    { 'photos.0.base64': 'imageType' },
  ],
])('%s is refused and nothing is stored', async (_, given, fields) => {
  const refusal = await storeCustomer(floor, makeFullApplication(6, given)).catch(
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(Problem)
  expect(refusal).toMatchObject({ id: 'G-FIELD', data: { fields } })
  expect(
    await one(sql`select count(*)::int as n from customer c where c.name = 'Ravi Kumar 6'`),
  ).toEqual({ n: 0 })
})

test('a small file that decompresses to too many pixels is refused', async () => {
  const photos = [
    { kind: 'pan' as const, mime: 'image/png' as const, base64: TINY_PNG },
    {
      kind: 'liveFace' as const,
      mime: 'image/png' as const,
      base64: pixelBomb().toString('base64'),
    },
  ]
  await expect(storeCustomer(floor, makeFullApplication(6, { photos }))).rejects.toMatchObject({
    id: 'G-FIELD',
    data: { fields: { 'photos.1.base64': 'ui:fault.fileSize' } },
  })
})

test('Aadhaar pictures are stored covered, and all pictures without metadata', async () => {
  const sent = await telephonePhoto()
  const kinds = ['pan', 'aadhaarFront', 'aadhaarBack', 'liveFace'] as const
  const { customerId } = await storeCustomer(
    floor,
    makeFullApplication(9, {
      photos: kinds.map((kind) => ({
        kind,
        mime: 'image/jpeg' as const,
        base64: sent.toString('base64'),
      })),
    }),
  )
  const { rows } = await sql<{
    kind: string
    file_id: string
    size: number
    sha256: Buffer
    content: Buffer
  }>`
    select p.kind, f.id as file_id, f.size, f.sha256, f.content from customer_photo p
      join file_object f on f.id = p.file_id where p.customer_id = ${customerId} order by p.kind`.execute(
    floor.database.kysely,
  )
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual([...kinds].toSorted())
  for (const { kind, file_id: fileId, size, sha256, content } of rows) {
    const stored = Buffer.from(
      floor.context.secrets.open('file_object.content', fileId, content),
      'base64',
    )
    expect([stored.length, sha256.equals(createHash('sha256').update(stored).digest())]).toEqual([
      size,
      true,
    ])
    expect([stored.includes(CAMERA), stored.includes('Exif'), stored.equals(sent)]).toEqual([
      false,
      false,
      false,
    ])
    const [red] = (await pixelsOf(stored)).at(600, 640)
    // position of the covered number
    expect(kind.startsWith('aadhaar') ? red < 0x20 : red > 0xf0, kind).toBe(true)
  }
})

test('no table contains a personal number, address or e-mail in plain text', async () => {
  const application = makeFullApplication(7)
  await storeCustomer(floor, application)
  const dump = await dumpText(floor.database)
  expect(dump).toContain('Ravi Kumar 7')
  const { customer, bankCard, contacts } = application
  for (const value of [
    customer.phone,
    customer.pan,
    customer.aadhaar,
    customer.address,
    customer.email as string,
    bankCard.account,
    contacts[0]?.phone as string,
    TINY_PNG,
  ]) {
    expect(dump).not.toContain(value)
    expect(dump).not.toContain(Buffer.from(value).toString('hex'))
  }
})
