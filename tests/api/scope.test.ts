/**
 * Nine users of three agencies call every endpoint with foreign ids: whatever a call takes as an
 * id, in its path, query or body, nested or in a list, a foreign row is answered like a missing
 * one.
 */
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addStop } from '#shared/collection/stops-api.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import { istDay } from '#shared/kernel/time.ts'
import { orderDetail } from '#shared/orders/order-detail-api.ts'
import { inboundPayment } from '#shared/repayments/inbound-payment-api.ts'
import { addProof } from '#shared/repayments/proofs-api.ts'
import { launchReduction } from '#shared/repayments/reductions-api.ts'
import { makeCase } from '#tests/factories/cases.ts'
import { PNG, withFiles } from '#tests/factories/files.ts'
import { makeTicket } from '#tests/factories/tickets.ts'
import { makeThreeAgencies, type ThreeAgencies } from '#tests/factories/units.ts'
import { testClock } from '#tests/support/clock.ts'
import { arbitraryOf, type Schema } from '#tests/support/fuzz/arbitrary-of.ts'
import { machineOf } from '#tests/support/machine.ts'
import { type Floor, type Person, testManage } from '#tests/support/manage.ts'

/** Field → id, of everything that belongs to one case and of its units. */
type Ids = Readonly<Record<string, string>>

const MISSING: Ids = {
  caseId: 'CA99999999',
  orderId: 'L99999999',
  userId: 'C99999999',
  customerId: 'C99999999',
  contactId: 'C99999999',
  planId: 'P99999999',
  recordId: 'RR99999999',
  reduceId: 'RD99999999',
  proofId: 'PF99999999',
  stopId: 'SC99999999',
  feedbackId: 'FB99999999',
  fileId: 'F99999999',
  agencyId: 'AG99999999',
  departmentId: 'DP99999999',
  groupId: 'TG99999999',
  collectorId: 'U99999999',
}

let floor: Floor
let three: ThreeAgencies
let manager: Person
/** By agency and collector. */
const held: Ids[][] = []

beforeAll(async () => {
  floor = await testManage()
  await (await testClock(floor.database)).to('11:00')
  three = await makeThreeAgencies(floor)
  manager = await floor.signIn('manager')
  const channel = await machineOf(floor, ['payment'])
  const { rows: clock } = await sql<{
    ago: string
  }>`select clock_timestamp() - interval '1 minute' as ago`.execute(floor.database.kysely)
  const payTime = new Date(clock[0]?.ago ?? '').toISOString()
  for (const [agency, unit] of three.units.entries()) {
    held.push([])
    for (const [n, { userId: collectorId, account }] of (three.people[agency] ?? [])
      .slice(0, 2)
      .entries()) {
      const collector = await floor.signIn(account)
      const { caseId, orderId, customerId } = await makeCase(floor, {
        collectorId,
        overdueDays: 12,
      })
      const utr = String(200_000_000_000 + agency * 10 + n)
      const { recordId } = await channel.call(inboundPayment, {
        vendorOrderNo: `V${utr}`,
        orderId,
        amount: 5_000,
        channel: 1,
        result: 'success',
        utr,
      })
      const { order, plans } = await manager.call(orderDetail, { orderId })
      const planId = plans[0]?.planId ?? ''
      const { reduceId } = await manager.call(launchReduction, {
        orderId,
        planId,
        version: order.version,
        reduceItems: { overdueFine: 100, serviceFee: 0, interest: 0 },
        validUntil: istDay(payTime),
        reason: 'Pays the rest',
      })
      const { proofId } = await collector.call(
        addProof,
        withFiles({ orderId, amount: 5_000, utr: `9${utr.slice(1)}`, payTime, channel: 2 }, [PNG]),
      )
      const { stopId } = await collector.call(addStop, {
        userId: customerId,
        reason: 'legal',
        remark: 'Notice of a court',
      })
      const { feedbackId } = await makeTicket(floor, { type: 3, customerId, orderId })
      const { rows } = await sql<{
        id: string
      }>`select o.id from file_object o order by o.created_at desc limit 1`.execute(
        floor.database.kysely,
      )
      held[agency]?.push({
        caseId,
        orderId,
        userId: customerId,
        customerId,
        contactId: customerId,
        planId,
        recordId,
        reduceId,
        proofId,
        stopId,
        feedbackId,
        fileId: rows[0]?.id ?? '',
        ...unit,
        collectorId,
      })
    }
  }
})
afterAll(() => floor.close())

/** The id fields of an input, at any depth. */
function idsIn(schema: Schema, name = ''): string[] {
  const one = name.replace(/s$/, '')
  const own = one in MISSING ? [one] : []
  const under = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) => idsIn(value, key)),
    ...(schema.items ? idsIn(schema.items, name) : []),
    ...(schema.anyOf ?? []).flatMap((value) => idsIn(value, name)),
  ]
  return [...new Set([...own, ...under])]
}

/** The input with all its id fields filled, optional ones included. */
function withIds(schema: Schema, value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(schema.items ?? {}, one, ids))
  if (value === null || typeof value !== 'object') return value
  const filled: Record<string, unknown> = { ...value }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const id = ids[name] ?? ids[name.replace(/s$/, '')]
    if (id === undefined) filled[name] = withIds(field, filled[name], ids)
    else filled[name] = field.type === 'array' ? [id] : id
  }
  // A readable file.
  if (schema.properties?.format !== undefined) filled.format = 'csv'
  return JSON.parse(JSON.stringify(filled))
}

const takers = () =>
  floor.manage.endpoints
    .filter((e) => (typeof e.access === 'string' ? e.access === 'any' : Array.isArray(e.access)))
    .filter((e) => idsIn(e.input as Schema).length > 0)

/** One input with only the required fields, and one with all where there are others. */
function inputsOf(e: Endpoint): unknown[] {
  const schema = e.input as Schema
  const all = Object.entries(schema.properties ?? {})
  const needed = all.filter(([name]) => schema.required?.includes(name))
  return [
    ...(needed.length < all.length ? [{ ...schema, properties: Object.fromEntries(needed) }] : []),
    schema,
  ].map(
    (one) =>
      fc.sample(arbitraryOf(one, { version: [1], token: [1], pageNum: [1] }), {
        numRuns: 1,
        seed: 20_261,
      })[0],
  )
}

/** All id fields filled at once, and each alone. */
function choicesOf(e: Endpoint, ids: Ids): Ids[] {
  const names = idsIn(e.input as Schema).filter((name) => name in ids)
  return [names, ...(names.length > 1 ? names.map((name) => [name]) : [])].map((some) =>
    Object.fromEntries(some.map((name) => [name, ids[name] as string])),
  )
}

/** Times, file numbers, and the prefix of an allocation plan. */
const NEW_EACH_TIME = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g,
  /F1\d{7}/g,
  /AP\d{5}/g,
  /"seed":\d+/g,
]

/** The answer without ids and times. */
async function answerTo(person: Person, e: Endpoint, input: unknown, ids: Ids): Promise<string> {
  const answer = await person.send(e, withIds(e.input, input, ids))
  let text = `${answer.statusCode} ${answer.body}`
  // The longest first: one id may end with another.
  for (const id of [...new Set(Object.values(ids))].toSorted((a, b) => b.length - a.length))
    text = text.replaceAll(id, '·')
  return NEW_EACH_TIME.reduce((leaks, each) => leaks.replace(each, ''), text).slice(0, 20_000)
}

test('in every call a row outside the scope is answered like a missing one', async () => {
  const leaks: string[] = []
  let asked = 0
  for (const [agency, people] of three.people.entries()) {
    for (const [n, { account }] of people.entries()) {
      const person = await floor.signIn(account)
      // Rows of another agency; for a collector also those of a colleague in the same unit.
      const others: Ids[] = [held[(agency + 1) % 3]?.[0] as Ids]
      if (n < 2) others.push(colleagues(held[agency]?.[1 - n] as Ids))
      for (const e of takers()) {
        // The same roles ask in each agency: the first one in every way, the others once a call.
        const inputs = agency === 0 ? inputsOf(e) : inputsOf(e).slice(-1)
        for (const input of inputs) {
          // a missing row gives the same answer, with whichever other person's row it is compared
          const answers = new Map<string, string>()
          const choices = others.map((theirs) => choicesOf(e, theirs))
          for (const ids of choices.flatMap((some) => (agency === 0 ? some : some.slice(0, 1)))) {
            const names = Object.keys(ids)
            const given = await answerTo(person, e, input, ids)
            const none =
              answers.get(names.join(' ')) ??
              (await answerTo(
                person,
                e,
                input,
                Object.fromEntries(names.map((name) => [name, MISSING[name] ?? ''])),
              ))
            answers.set(names.join(' '), none)
            asked += 1
            if (given !== none)
              leaks.push(
                [
                  `${account} ${e.method} ${e.path}`,
                  `  theirs:  ${fromDifference(given, none)}`,
                  `  missing: ${fromDifference(none, given)}`,
                ].join('\n'),
              )
          }
        }
      }
    }
  }
  expect(leaks).toEqual([])
  expect(asked).toBeGreaterThan(1_000)
})

function fromDifference(one: string, other: string): string {
  const at = [...one].findIndex((letter, i) => letter !== other[i])
  return one.slice(Math.max(0, at - 60), at + 200)
}

function colleagues({
  agencyId: _agency,
  departmentId: _department,
  groupId: _group,
  ...rest
}: Ids): Ids {
  return rest
}

test('with the same inputs a visible row is answered differently from a missing one', async () => {
  const alike: string[] = []
  const ids = held[0]?.[0] as Ids
  const every = takers()
  for (const e of every) {
    let isDistinct = false
    for (const input of inputsOf(e)) {
      for (const some of choicesOf(e, ids)) {
        const missing = Object.fromEntries(
          Object.keys(some).map((name) => [name, MISSING[name] ?? '']),
        )
        isDistinct ||=
          (await answerTo(manager, e, input, some)) !== (await answerTo(manager, e, input, missing))
      }
    }
    if (!isDistinct) alike.push(`${e.method} ${e.path}`)
  }
  console.info(`${every.length} calls take ids; alike to a manager: ${alike.join(', ')}`)
  expect(every.length - alike.length).toBeGreaterThan(75)
})
