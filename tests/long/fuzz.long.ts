/** Five thousand inputs to every call, half allowed and half hostile (trust.md F1, F11, E3). */
import { expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { Fuzz } from '#tests/support/fuzz/fuzz-run.ts'

// three hundred calls, a millisecond or three each
test(
  'no input makes a call fail, tell a secret or change what every object has, and after all of it the book is whole',
  { timeout: 3 * 3_600_000 },
  async () => {
    const fuzz = await Fuzz.open()
    try {
      const sent = await fuzz.run(5_000)
      console.info(`${sent} calls answered`)
      expect(sent).toBeGreaterThan(150_000)
      await fuzz.floor.settle()
      expect(await brokenInvariants(fuzz.floor.database)).toEqual([])
    } finally {
      await fuzz.close()
    }
  },
)
