/** Cores are restarted, killed and frozen under callers who do not notice. */
import { test } from 'vitest'
import { expectUnnoticed } from '#tests/support/restart-run.ts'

test('restarted, killed and frozen cores fail no call', () =>
  expectUnnoticed({ rolls: 2, kills: 1, freezes: 1 }))
