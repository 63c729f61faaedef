/** A real browser and the people in it. It is CHROME_PATH, an installed Chrome or Chromium, or the one npm brought, so that no test needs a download. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { PASSWORD } from './manage.ts'
import { CLIENT, type Stack } from './stack.ts'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe']
const QUIET = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-gpu']

export async function openBrowser(): Promise<Browser> {
  if (!existsSync(join(CLIENT, 'index.html'))) throw new Error('The client is not built: run `npm run build` first.')
  const executablePath = process.env.CHROME_PATH ?? INSTALLED.find((path) => existsSync(path))
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: QUIET })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packed.executablePath(), args: [...QUIET, '--headless=shell'], env: { ...process.env, LD_LIBRARY_PATH: ['/tmp/al2023/lib', process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') } })
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /** What the console said that it should not. */
  faults: string[]
}

export interface VisitorGiven {
  language?: string
  dark?: boolean
  width?: number
  height?: number
}

/** A person with a browser window of his own. Faults of the page are collected; `expectQuiet` looks at them. */
export async function visit(browser: Browser, stack: Pick<Stack, 'url'>, { language = 'en', dark = false, width = 1366, height = 768 }: VisitorGiven = {}): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', baseURL: stack.url, reducedMotion: 'reduce' })
  await context.addCookies([{ name: 'language', value: language, url: stack.url }])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`))
  return { page, context, faults }
}

export async function signIn(browser: Browser, stack: Pick<Stack, 'url'>, account: string, given: VisitorGiven & { to?: string } = {}): Promise<Visitor> {
  const visitor = await visit(browser, stack, given)
  const { page } = visitor
  await page.goto(`/login${given.to ? `?redirect=${encodeURIComponent(given.to)}` : ''}`)
  await page.locator('input[autocomplete="username"]').fill(account)
  await page.locator('input[type="password"]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  return visitor
}

/** The row of a grid that shows the id. */
export function row(page: Page, id: string) {
  return page.locator('[role="row"]', { hasText: id }).first()
}

/** No console error, no page error, no violation of the content policy. @param expected what a test brought about on purpose */
export function faultsBut(visitor: Visitor, expected: RegExp | null = null): string[] {
  return visitor.faults.filter((fault) => !expected?.test(fault))
}

interface AxeFinding {
  id: string
  impact: string | null
  nodes: { target: unknown[] }[]
}

/** Serious and critical findings of axe, each with where it is. */
export async function seriousFindings(page: Page): Promise<string[]> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(source)
  const findings = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<{ violations: AxeFinding[] }> } }).axe.run().then((result) => result.violations))
  return findings.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => String(node.target)).join(' | ')}`)
}
