/** Forty inputs to every call, half allowed and half hostile (trust.md F1, F11, E3). The big version is in tests/long. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { Fuzz } from '#tests/support/fuzz/fuzz-run.ts'

let fuzz: Fuzz
beforeAll(async () => {
  fuzz = await Fuzz.open()
})
afterAll(() => fuzz.close())

test('no input makes a call fail, tell a secret or change what every object has', async () => {
  expect(await fuzz.run(40)).toBeGreaterThan(5_000)
}, 300_000)

test('after all of it the book is whole', async () => {
  await fuzz.floor.settle()
  expect(await brokenInvariants(fuzz.floor.database)).toEqual([])
})
