/**
 * From a commit to what a collector sees: payments of their cases, drawn in the work list of a real
 * browser.
 */
import { atRest, logIn, openBrowser, visit } from '#tests/support/browser.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { sharedNow, spreadOf } from './measure.ts'
import type { PaceOfPayments, Paid } from './payment-channel.ts'
import { CLIENT } from './processes.ts'
import type { Bench } from './stage.ts'
import { type Line, short } from './table.ts'

const LIST = '/loaned_management/pedding_list'
/** Each case changes every second or two: two changes within one frame would be seen as one. */
const PACE = { perSecond: 8, count: 240 }
const WARM_UP = { perSecond: 8, count: 24 }

// As text: helpers added by a compiler are not defined in the page. One frame and one task later
// the change has been painted.
const WATCH = `
  window.drawn = []
  new MutationObserver((list) => {
    const elements = list.map(({ target }) => (target.nodeType === 1 ? target : target.parentElement))
    const cells = new Set(elements.map((one) => one?.closest('[col-id="outstanding"]')).filter(Boolean))
    const seen = [...cells].map((cell) => [cell.closest('[row-id]').getAttribute('row-id'), cell.textContent])
    if (seen.length > 0) requestAnimationFrame(() => setTimeout(() => {
      for (const one of seen) drawn.push([...one, performance.timeOrigin + performance.now()])
    }))
  }).observe(document.querySelector('.ag-root'), { subtree: true, childList: true, characterData: true })`

export async function screenLines({ manage, edgeUrl, book }: Bench): Promise<Line[]> {
  const cases = await shownCases(edgeUrl, book.tokens.collector)
  const browser = await openBrowser(CLIENT)
  try {
    const { page, faults } = await visit(browser, { url: edgeUrl })
    await logIn(page, 'collector', LIST)
    await atRest(page)
    const orderIds = [...cases.keys()]
    const pay = (pace: Pick<PaceOfPayments, 'perSecond' | 'count'>): Promise<Paid> =>
      manage.ask<Paid>('payAtPace', { ...pace, orderIds } satisfies PaceOfPayments)
    await pay(WARM_UP)
    await page.evaluate(WATCH)
    const paid = await pay(PACE)
    // The last of them is still under way.
    await page.waitForTimeout(2_000)
    const drawn = (await page.evaluate('window.drawn')) as [string, string, number][]
    if (faults.length > 0) throw new Error(`the browser complained: ${faults.join('; ')}`)
    // Both clocks belong to this machine: this measures their difference.
    const apart = performance.timeOrigin + performance.now() - sharedNow()
    const waits = paid.map(({ orderId, outstanding, at }) => {
      const shown = drawn.find(
        ([caseId, text]) => caseId === cases.get(orderId) && text === formatPaise(outstanding),
      )
      if (!shown) throw new Error(`a payment of ${orderId} was never drawn`)
      return shown[2] - apart - at
    })
    const { p50, p99 } = spreadOf(waits)
    return [
      {
        what:
          `commit → the collector’s screen: ${PACE.perSecond} payments/s ` +
          `of ${cases.size} cases in a browser (${book.engine})`,
        product: `p50 ${short(p50)}, p99 ${short(p99)} ms`,
        baseline: '',
        ratio: null,
        target: 'p99 ≤ 300 ms',
        pass: p99 <= 300,
      },
    ]
  } finally {
    await browser.close()
  }
}

/** Cases on the first page of the work list, by order. */
async function shownCases(url: string, token: string): Promise<Map<string, string>> {
  const answer = await fetch(
    `${url}/api/manage/collection/case/list?tab=toFollow&pageNum=1&pageSize=50`,
    { headers: { authorization: token } },
  )
  const { data } = (await answer.json()) as {
    data: { rows: { orderId: string; caseId: string }[] }
  }
  return new Map(data.rows.map(({ orderId, caseId }) => [orderId, caseId]))
}
