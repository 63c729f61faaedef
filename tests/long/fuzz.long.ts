/** Five thousand inputs to every call, half valid and half hostile. */
import { expect, test } from 'vitest'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import { Fuzz } from '#tests/support/fuzz/fuzz-run.ts'

// Three hundred calls, one to three milliseconds each.
test(
  'no input makes a call fail, reveal a secret or change Object.prototype, and afterwards the books still balance',
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
