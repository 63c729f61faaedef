/**
 * A real browser and its users. It is CHROME_PATH, the one installed by npm, or an installed Chrome
 * or Chromium, so that no test needs a download.
 */
import { existsSync, statfsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright'
import type { TestContext } from 'vitest'
import { TOKEN_COOKIE } from '#shared/kernel/preloads.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import { login } from '#shared/session/session-api.ts'
import { PASSWORD } from './manage.ts'
import { doubleTexts } from './doubled-texts.ts'
import { packedBrowser, runsPacked } from './packed-browser.ts'
import { CLIENT, type Stack } from './stack.ts'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
]

/**
 * Playwright keeps the browser's shared memory in files of the temporary folder, because a container
 * may have too little of it. Where there is enough, it is used: on a disk those files cost a tenth of
 * the processor time of all browser tests.
 */
const SHARED_MEMORY = '/dev/shm'
const ENOUGH_BYTES = 1e9
function unwantedDefaults(): string[] {
  if (!existsSync(SHARED_MEMORY)) return []
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  return bavail * bsize < ENOUGH_BYTES ? [] : ['--disable-dev-shm-usage']
}

/**
 * The one from npm is preferred where it runs: it is the same everywhere, and without a window
 * system it uses half the processor time. `CHROME_PATH` overrides it.
 */
export async function openBrowser(client = CLIENT): Promise<Browser> {
  if (!existsSync(join(client, 'index.html')))
    throw new Error('The client is not built: run `npm run build` first.')
  const executablePath =
    process.env.CHROME_PATH ?? (runsPacked ? undefined : INSTALLED.find((path) => existsSync(path)))
  const ignoreDefaultArgs = unwantedDefaults()
  if (executablePath !== undefined)
    return chromium.launch({ executablePath, ignoreDefaultArgs, args: QUIET })
  const { args, ...packed } = await packedBrowser()
  return chromium.launch({ ...packed, ignoreDefaultArgs, args: [...QUIET, ...args] })
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /**
   * What a page must not do: console errors and warnings, uncaught errors and rejections, answers
   * of 500 and more.
   */
  faults: string[]
  /** Faults that the test causes on purpose. */
  excuse(pattern: RegExp): void
  /** Another tab of the same window: the same session, checked as well. */
  tab(): Promise<Page>
}

export interface VisitorGiven {
  language?: string
  dark?: boolean
  width?: number
  height?: number
  /** Every text twice as long. */
  doubled?: boolean
  /** The test moves the window's clock, so the window is not reused. */
  ownClock?: boolean
}

/** The browser's message for a cut connection. */
export const CUT =
  /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_NETWORK_CHANGED|WebSocket/

interface Open extends Visitor {
  excused: RegExp[]
  /** Clears the window and keeps it for the next user, or closes it. */
  leave(): Promise<void>
  /** Answers still being read. */
  reading: Set<Promise<void>>
}
const opened = new Set<Open>()

/** A user with their own browser window. `endVisits` checks its faults. */
export async function visit(
  browser: Browser,
  stack: Pick<Stack, 'url'>,
  {
    language = 'en',
    dark = false,
    width = 1366,
    height = 768,
    doubled = false,
    ownClock = false,
  }: VisitorGiven = {},
): Promise<Visitor> {
  const kind = `${stack.url} ${dark} ${width} ${height}`
  const kept = ownClock ? undefined : idleOf(browser, kind).pop()
  const context =
    kept ??
    (await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      baseURL: stack.url,
      reducedMotion: 'reduce',
    }))
  await context.addCookies([{ name: 'language', value: language, url: stack.url }])
  if (doubled) await doubleTexts(context)
  // twice the usual: a machine may be busy elsewhere
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  if (kept) await forget(page, stack.url)
  const excused: RegExp[] = []
  const visitor: Open = {
    page,
    context,
    faults: [],
    excused,
    reading: new Set(),
    leave: async () => {
      if (ownClock) return context.close()
      await empty(context)
      idleOf(browser, kind).push(context)
    },
    excuse: (pattern) => void excused.push(pattern),
    async tab() {
      const other = await context.newPage()
      watchFaults(other, visitor)
      return other
    },
  }
  watchFaults(page, visitor)
  opened.add(visitor)
  return visitor
}

/** Windows for reuse: the next user gets their cached and compiled files. */
const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>()
function idleOf(browser: Browser, kind: string): BrowserContext[] {
  const kinds = idle.get(browser) ?? new Map<string, BrowserContext[]>()
  idle.set(browser, kinds)
  const windows = kinds.get(kind) ?? []
  kinds.set(kind, windows)
  return windows
}

async function empty(context: BrowserContext): Promise<void> {
  // No page is left to write anything, and none is asked whether it may close.
  await Promise.all(context.pages().map((page) => page.close()))
  await Promise.all([
    context.clearCookies(),
    context.setOffline(false),
    context.unrouteAll(),
    context.clearPermissions(),
  ])
}

/** What the last user stored: from the next user's page, because each page costs a process. */
async function forget(page: Page, origin: string): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' })
  await cdp.detach()
}

/** Requests under way, and when the last one ended. */
const traffic = new WeakMap<Page, { open: Set<Request>; endedAt: number }>()

function watchFaults(page: Page, { faults, reading }: Open): void {
  const own = { open: new Set<Request>(), endedAt: 0 }
  traffic.set(page, own)
  const end = (request: Request): void => {
    own.open.delete(request)
    own.endedAt = performance.now()
  }
  page.on('request', (request) => own.open.add(request))
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      faults.push(`${message.type()}: ${message.text()}`)
  })
  // Uncaught rejections are page errors, too.
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`))
  page.on('crash', () => faults.push('the page crashed'))
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 500) faults.push(`${response.status()} of ${pathname}`)
    else if (pathname.startsWith('/api/')) {
      // Refusals are answered with 200 and a code; the answers of a closed page are lost.
      const read = response.json().then(
        ({ code }: { code?: number }) =>
          void (
            code !== undefined &&
            code >= 500 &&
            faults.push(`${code} in the answer of ${pathname}`)
          ),
        () => undefined,
      )
      reading.add(read)
      void read.finally(() => reading.delete(read))
    }
  })
}

/** What a user would still read on each page of a failed test, to find its cause without a rerun. */
async function printPages(visitors: readonly Visitor[]): Promise<void> {
  for (const page of visitors.flatMap(({ context }) => context.pages())) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2_000 })
      .catch((error: Error) => error.message)
    console.error(`${page.url()} shows:\n${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 3_000)}`)
  }
}

/**
 * After each test of a browser file: closes every window.
 * @throws Error naming every fault of a page
 */
export async function endVisits({ task }: Pick<TestContext, 'task'>): Promise<void> {
  const visitors = [...opened]
  opened.clear()
  if (task.result?.state === 'fail') await printPages(visitors)
  await Promise.all(visitors.flatMap(({ reading }) => [...reading]))
  await Promise.all(visitors.map((visitor) => visitor.leave()))
  const faults = visitors.flatMap((visitor) =>
    visitor.faults.filter((fault) => !visitor.excused.some((pattern) => pattern.test(fault))),
  )
  if (faults.length > 0) throw new Error(`pages were at fault:\n${faults.join('\n')}`)
}

/** A user with an existing session opens the console at `to`; the form is used by `logIn`. */
export async function signIn(
  browser: Browser,
  stack: Pick<Stack, 'url'>,
  account: string,
  given: VisitorGiven & { to?: string } = {},
): Promise<Visitor> {
  const visitor = await visit(browser, stack, given)
  const answer = await visitor.context.request.post(`/api/manage${login.path}`, {
    data: { username: account, password: PASSWORD },
  })
  const { code, msg, data } = (await answer.json()) as Envelope<DataOf<typeof login>>
  if (code !== 200 || !('token' in data))
    throw new Error(`${account} cannot sign in: ${code} ${msg}`)
  await visitor.context.addCookies([
    { name: TOKEN_COOKIE, value: encodeURIComponent(data.token), url: stack.url },
  ])
  await visitor.page.goto(given.to ?? '/')
  return visitor
}

/** Signs in through the login form; ends on the page it opens. */
export async function logIn(page: Page, account: string, to?: string): Promise<void> {
  await page.goto(`/login${to === undefined ? '' : `?redirect=${encodeURIComponent(to)}`}`)
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
}

/** Moves on inside the console, as a link does: a load takes as long as five screens. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path)
}

/** Longest time of a page between an answer and the following request. */
const QUIET_MS = 120

/**
 * No request is under way. Playwright's own `networkidle` waits half a second, which is most of a
 * visit.
 */
export async function untilQuiet(page: Page): Promise<void> {
  const own = traffic.get(page)
  if (own === undefined) throw new TypeError('only pages of a visitor are watched')
  await page.waitForLoadState('load')
  while (own.open.size > 0 || performance.now() - own.endedAt < QUIET_MS)
    await new Promise((resume) => setTimeout(resume, 20))
}

/**
 * Nothing is loading: no request, no skeleton. A view in the background that had not loaded waits
 * until it is shown again.
 */
export async function atRest(page: Page): Promise<void> {
  await page.getByRole('main').waitFor()
  await untilQuiet(page)
  const loading = page.locator('.bp6-skeleton, .app-loading').filter({ visible: true })
  await page
    .waitForFunction(
      () =>
        ![...document.querySelectorAll('.bp6-skeleton, .app-loading')].some((element) =>
          element.checkVisibility(),
        ),
    )
    .catch(async (cause: unknown) => {
      const waiting = await loading.evaluateAll((elements) =>
        elements
          .slice(0, 3)
          .map((element) =>
            (
              element.closest('[role="region"], section, [aria-busy="true"], main') ?? element
            ).outerHTML.slice(0, 300),
          ),
      )
      throw new Error(`${page.url()} is still loading: ${waiting.join(' | ')}`, { cause })
    })
}

/** The row of a grid that shows the id. */
export function row(page: Page, id: string) {
  return page.locator('[role="row"]', { hasText: id }).first()
}

interface AxeFinding {
  id: string
  impact: string | null
  nodes: { target: unknown[]; any: { message: string }[] }[]
}

/**
 * Serious and critical findings of axe, each with its place; a finding during a transition is
 * checked again.
 * @param part only this part of the page, which takes a tenth of the time
 */
export async function seriousFindings(page: Page, part = 'html'): Promise<string[]> {
  // A second look of a page is three times as fast: axe is there, and compiled.
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.evaluate(
      await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    )
  const look = async (): Promise<string[]> => {
    const findings = await page.evaluate((include) => {
      // For a tab partly outside of its strip axe takes the colour next to the strip.
      for (const tab of document.querySelectorAll('.tabs li')) {
        const [own, strip] = [
          tab.getBoundingClientRect(),
          (tab.parentElement as Element).getBoundingClientRect(),
        ]
        tab.toggleAttribute('data-cut', own.left < strip.left || own.right > strip.right)
      }
      const { axe } = globalThis as typeof globalThis & {
        axe: {
          _audit: { rules: { id: string; impact?: string }[] }
          run(
            context: { include: string[][]; exclude: string[][] },
            options: { resultTypes: string[]; rules: Record<string, { enabled: false }> },
          ): Promise<{ violations: AxeFinding[] }>
        }
      }
      // a rule's impact is that of all its findings
      const mild = axe._audit.rules.filter(
        ({ impact }) => impact === 'minor' || impact === 'moderate',
      )
      return (
        axe
          // what passes is not described: that takes as long as the look itself
          .run(
            { include: [[include]], exclude: [['[data-cut]']] },
            {
              resultTypes: ['violations'],
              rules: Object.fromEntries(mild.map(({ id }) => [id, { enabled: false }])),
            },
          )
          .then((result) => result.violations)
      )
    }, part)
    return findings
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map(
              ({ target, any }) =>
                `${String(target)} (${any.map(({ message }) => message).join(', ')})`,
            )
            .join(' | ')}`,
      )
  }
  if ((await look()).length === 0) return []
  await untilQuiet(page)
  return look()
}
