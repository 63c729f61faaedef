/** The next case of a collector: the first of their due ones whose borrower may be contacted now. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callBorrower, firstContactable } from '#shared/collection/cases-api.ts'
import { makeCase, type MadeCase, workFloor } from '#tests/factories/cases.ts'
import { makeCollector, makeUnit, type Unit } from '#tests/factories/units.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { TestClock } from '#tests/support/clock.ts'
import type { Floor, Person } from '#tests/support/manage.ts'

let floor: Floor & { clock: TestClock }
let home: Unit
let asha: Person
let ravi: Person

beforeAll(async () => {
  floor = await workFloor()
  home = await makeUnit(floor, { weight: 60, inHouse: true })
  asha = await floor.signIn((await makeCollector(floor, home)).account)
  ravi = await floor.signIn((await makeCollector(floor, home)).account)
})
afterAll(() => floor.close())
beforeEach(() => floor.clock.to('11:00'))

const ashas = () => makeCase(floor, { collectorId: asha.userId, overdueDays: 12 })
const call = (made: MadeCase) =>
  asha.call(callBorrower, {
    caseId: made.caseId,
    contactId: made.customerId,
    way: 'phone',
  })
const first = (...cases: readonly { caseId: string }[]) =>
  asha.call(firstContactable, { caseIds: cases.map(({ caseId }) => caseId).join(',') })

test('a case whose borrower was just called is passed over until the gap is over', async () => {
  const [one, other] = [await ashas(), await ashas()]
  expect(await first(one, other)).toEqual({ caseId: one.caseId, openTime: null })
  expect(await first(other, one)).toEqual({ caseId: other.caseId, openTime: null })
  await call(one)
  expect(await first(one, other)).toEqual({ caseId: other.caseId, openTime: null })
  await floor.clock.to('15:00')
  expect(await first(one, other)).toEqual({ caseId: one.caseId, openTime: null })
})

test('when all wait, the answer is the end of the first gap', async () => {
  const today = istDay(Date.now())
  const [one, other] = [await ashas(), await ashas()]
  await call(one)
  await floor.clock.to('11:30', today)
  await call(other)
  const { caseId, openTime } = await first(other, one)
  expect(caseId).toBeNull()
  expect(Date.parse(openTime as string)).toBeGreaterThan(Date.parse(`${today}T11:31:00+05:30`))
  await floor.clock.to('12:01')
  expect((await first(other, one)).openTime).toBe(openTime)
})

test('outside the hours the order stays, because nobody can be called', async () => {
  const [one, other] = [await ashas(), await ashas()]
  await call(one)
  await floor.clock.to('07:00')
  expect(await first(other, one)).toEqual({ caseId: other.caseId, openTime: null })
  await floor.clock.to('19:00')
  expect(await first(one, other)).toEqual({ caseId: one.caseId, openTime: null })
})

test('cases of another collector, held ones and unknown ids are passed over', async () => {
  const foreign = await makeCase(floor, { collectorId: ravi.userId, overdueDays: 12 })
  const heldCase = await makeCase(floor, {
    collectorId: asha.userId,
    overdueDays: 12,
    state: 'held',
  })
  const own = await ashas()
  expect(await first(foreign, heldCase, { caseId: 'nobody' }, own)).toEqual({
    caseId: own.caseId,
    openTime: null,
  })
  expect(await first(foreign, heldCase)).toEqual({ caseId: null, openTime: null })
})
