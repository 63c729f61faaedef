/** Twelve rolling restarts, four kills and four frozen cores under callers. */
import { test } from 'vitest'
import { expectUnnoticed } from '#tests/support/restart-run.ts'

test('twelve rolling restarts and four kills fail no call', () =>
  expectUnnoticed({ rolls: 12, kills: 4, freezes: 4 }))
