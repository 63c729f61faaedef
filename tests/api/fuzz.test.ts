/** Twenty-four inputs to every call, half valid and half hostile; tests/long has five thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { Fuzz } from '#tests/support/fuzz/fuzz-run.ts'

let fuzz: Fuzz
beforeAll(async () => {
  fuzz = await Fuzz.open()
})
afterAll(() => fuzz.close())

test('no input makes a call fail, reveal a secret or change Object.prototype', async () => {
  expect(await fuzz.run(24)).toBeGreaterThan(5_000)
})

test('afterwards the ledger still balances', async () => {
  await fuzz.floor.settle()
  expect(await brokenInvariants(fuzz.floor.database)).toEqual([])
})
