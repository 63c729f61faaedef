/**
 * For a browser file: one installation and one browser for all its tests; after each test every
 * window is closed and checked.
 */
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
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

/** Called at the top of a file, before its own hooks. */
export function browserStage(): Stage {
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
