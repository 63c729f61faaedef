/**
 * For a browser file: one installation for all its tests; after each test every window is closed
 * and checked.
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

/**
 * A worker opens one browser for all its files, and their consoles have one address after the other:
 * a window then has compiled the client once, not once a file. It ends with the worker.
 */
const kept: { browser: Browser | null; port: number | null } = { browser: null, port: null }

async function keptBrowser(): Promise<Browser> {
  if (!kept.browser?.isConnected()) kept.browser = await openBrowser()
  return kept.browser
}

async function startKept(): Promise<Stack> {
  const stack = await startStack({ client: true, port: kept.port })
  kept.port = Number(new URL(stack.url).port)
  return stack
}

/** Called at the top of a file, before its own hooks. */
export function browserStage(): Stage {
  vi.setConfig(SECOND_TRY)
  let stack: Stack
  let browser: Browser
  beforeAll(async () => {
    ;[stack, browser] = await Promise.all([startKept(), keptBrowser()])
  })
  afterAll(async () => {
    // the browser stays, and keeps lines open that have no page any more
    for (const { fastify } of stack.edges) fastify.server.closeAllConnections()
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
