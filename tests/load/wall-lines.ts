/**
 * The wall board: the cost of a read with a hundred thousand open cases, and the memory a screen
 * has gained after ten thousand scene changes.
 */
import type { Page } from 'playwright'
import { openBrowser, visit } from '#tests/support/browser.ts'
import { sharedNow, spreadOf } from './measure.ts'
import type { Pool } from './pool.ts'
import { CLIENT } from './processes.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const POOL: Pool = { stageId: 'M2', prefix: 'W' }
const READINGS = 8
/** Facts are cached for one second. */
const APART_MS = 1_100
const AGAIN = 40
const SCENES = 10_000
const WARM_UP = 2_500
const MOST_GROWTH = 0.05

export async function wallLines(bench: Bench): Promise<Line[]> {
  const { manage, edgeUrl, book } = bench
  await manage.ask('makePool', POOL)
  const token = book.tokens.managers[0] as string
  const fresh: number[] = []
  const again: number[] = []
  for (let n = 0; n < READINGS; n += 1) {
    await new Promise((resume) => setTimeout(resume, APART_MS))
    fresh.push(await timed(() => get(edgeUrl, token)))
    for (let i = 0; i < AGAIN; i += 1) again.push(await timed(() => get(edgeUrl, token)))
  }
  const anew = spreadOf(fresh)
  const kept = spreadOf(again)
  const heap = await heapOfScreen(edgeUrl, token)
  const growth = heap.after / heap.before - 1
  return [
    {
      what: `a board read anew with 100,000 cases in the pool (${book.engine})`,
      product: `p50 ${short(anew.p50)} ms`,
      baseline: `${short(kept.p50)} ms, the same within its second`,
      ratio: anew.p50 / kept.p50,
      target: '≤ 150 ms',
      pass: anew.p50 <= 150,
    },
    {
      what: '  read again within its second, whatever the scope',
      product: `p50 ${short(kept.p50)}, p99 ${short(kept.p99)} ms`,
      baseline: '',
      ratio: null,
      target: 'p50 ≤ 15 ms',
      pass: kept.p50 <= 15,
    },
    {
      what: `heap of a wall screen over ${short(SCENES)} scenes`,
      product: `${short(heap.after / 1e6)} MB`,
      baseline: `${short(heap.before / 1e6)} MB before`,
      ratio: heap.after / heap.before,
      target: '< 5 % more',
      pass: growth < MOST_GROWTH,
    },
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = sharedNow()
  await work()
  return sharedNow() - began
}

async function get(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/api/manage/collection/board`, {
    headers: { authorization: token },
  })
  const { code } = (await answer.json()) as { code: number }
  if (code !== 200) throw new Error(`the board answered ${code}`)
}

/**
 * Bytes after a garbage collection, before and after all changes; the first few thousand fill
 * compiled code and caches.
 */
async function heapOfScreen(
  url: string,
  token: string,
): Promise<{ before: number; after: number }> {
  const browser = await openBrowser(CLIENT)
  try {
    const { page, context } = await visit(browser, { url }, { width: 1920, height: 1080 })
    await page.goto('/wall?rotate=600')
    await page.locator('.pair-qr').waitFor()
    const code = ((await page.locator('.pair-code').textContent()) ?? '').trim()
    await fetch(`${url}/api/manage/board/pair/approve`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ code, name: 'Bench', profile: 'mid' }),
    })
    await page.locator('.board').waitFor()
    const inspector = await context.newCDPSession(page)
    const used = async (): Promise<number> => {
      for (let n = 0; n < 3; n += 1) await inspector.send('HeapProfiler.collectGarbage')
      return (await inspector.send('Runtime.getHeapUsage')).usedSize
    }
    await changeScenes(page, WARM_UP)
    const before = await used()
    await changeScenes(page, SCENES)
    return { before, after: await used() }
  } finally {
    await browser.close()
  }
}

/**
 * Presses → and lets the page update only its tree: drawing a frame for each would take minutes.
 */
async function changeScenes(page: Page, count: number): Promise<void> {
  const changed = await page.evaluate(async (times) => {
    const { port1, port2 } = new MessageChannel()
    let seen = ''
    let changes = 0
    for (let n = 0; n < times; n += 1) {
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight' }))
      await new Promise<void>((resolve) => {
        port1.onmessage = () => resolve()
        port2.postMessage(null)
      })
      const title = document.querySelector('h1')?.textContent ?? ''
      if (title !== seen) changes += 1
      seen = title
    }
    return changes
  }, count)
  if (changed < count * 0.99) throw new Error(`only ${changed} of ${count} scenes were shown`)
}
