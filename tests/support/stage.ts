/**
 * For a browser file: one installation and one browser for all its tests; after each test every
 * window is closed and checked.
 */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import {
  endVisits,
  openBrowser,
  signIn,
  visit,
  type Visitor,
  type VisitorGiven,
} from './browser.ts'
import { startStack, type Stack } from './stack.ts'

export interface Stage {
  readonly stack: Stack
  visit(given?: VisitorGiven): Promise<Visitor>
  signIn(account: string, given?: VisitorGiven & { to?: string }): Promise<Visitor>
}

/**
 * A browser test is tried a second time before it fails: on a machine that is busy elsewhere a step
 * may come late. The report names what needed it (`retry x1`); no other kind of test has a second
 * try, because a race that is lost once is a fault.
 */
const SECOND_TRY: Parameters<typeof vi.setConfig>[0] & { retry: number } = { retry: 1 }

/** Called at the top of a file, before its own hooks. */
export function browserStage(): Stage {
  vi.setConfig(SECOND_TRY)
  let stack: Stack
  let browser: Browser
  beforeAll(async () => {
    ;[stack, browser] = await Promise.all([startStack({ client: true }), openBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await stack.close()
  })
  afterEach(endVisits)
  return {
    get stack() {
      return stack
    },
    visit: (given) => visit(browser, stack, given),
    signIn: (account, given) => signIn(browser, stack, account, given),
  }
}
