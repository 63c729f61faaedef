/**
 * A figure of a report leads to a list with exactly the rows it counts: each address is read as the
 * list reads it, and the list counts as many rows, or the same sum.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FilterKinds, Filters } from '#client/ui/grid/grid-url.ts'
import type { SessionUser } from '#client/session/session-store.ts'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import type { Dimension, Measure } from '#client/screen/report/report-types.ts'
import * as figures from '#client/features/reports/report-figures.ts'
import * as reviewFigures from '#client/features/reports/review-figures.ts'
import { listBills } from '#shared/collection/figures-api.ts'
import { listCustomers } from '#shared/customers/customer-list-api.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { addDays } from '#shared/kernel/time.ts'
import { listLoans } from '#shared/orders/disbursement-api.ts'
import { listOrders } from '#shared/orders/orders-api.ts'
import { listPlans, listRecords } from '#shared/repayments/repayments-api.ts'
import { approveReport, riskReport } from '#shared/reports/approve-api.ts'
import { channelReport } from '#shared/reports/channel-api.ts'
import { homeFigures } from '#shared/reports/home-figures-api.ts'
import { processReport } from '#shared/reports/process-api.ts'
import { recallTrend } from '#shared/reports/recall-api.ts'
import { repaymentReport } from '#shared/reports/repayment-api.ts'
import { reloanReport } from '#shared/reports/reloan-api.ts'
import { reportOptions } from '#shared/reports/reports-api.ts'
import {
  hourReport,
  qualityReport,
  reasonReport,
  reviewReport,
} from '#shared/reports/review-report-api.ts'
import { acquisitionTrend, lendingTrend } from '#shared/reports/trends-api.ts'
import { listReviews } from '#shared/review/review-api.ts'
import { listTickets } from '#shared/tickets/tickets-api.ts'
import type { Floor, Person } from '#tests/support/manage.ts'
import { TODAY } from '#tests/support/report-counts.ts'
import { reportFloor } from '#tests/support/report-floor.ts'

const RANGE = { dateFrom: addDays(TODAY, -40), dateTo: TODAY }
const LISTS: Readonly<Record<string, Endpoint>> = {
  '/customer_management/customer_list': listCustomers,
  '/customer_management/user_feedback': listTickets,
  '/order_management/order_list': listOrders,
  '/order_management/review_list': listReviews,
  '/order_management/loan_list': listLoans,
  '/order_management/repay_plan': listPlans,
  '/order_management/repay_record': listRecords,
  '/loaned_management/recycle_bill': listBills,
}
/** What an amount is the sum of, in the rows of the list; other figures are counts. */
const SUMMED: Readonly<Record<string, (row: Record<string, unknown>) => number>> = {
  disbursedAmount: ({ amount }) => Number(amount),
  receivedAmount: ({ amount }) => Number(amount),
  collectedAmount: ({ amount }) => Number(amount),
  dueAmount: ({ principal, interest, serviceFee, bounceCharge }) =>
    Number(principal) + Number(interest) + Number(serviceFee) + Number(bounceCharge),
}

let floor: Floor
let director: Person
beforeAll(async () => {
  ;({ floor, director } = await reportFloor())
})
afterAll(() => floor.close())

function contextOf(chosen: Record<string, unknown>): ListContext {
  return {
    t: (key: string) => key,
    language: 'en',
    seesAll: true,
    isWide: true,
    // measures do not look at the person
    user: {} as SessionUser,
    read: () => undefined,
    may: () => true,
    hasMenu: () => true,
    filters: <Kinds extends FilterKinds>(kinds: Kinds) =>
      Object.fromEntries(
        Object.entries(chosen).filter(([name]) => Object.hasOwn(kinds, name)),
      ) as Filters<Kinds>,
  }
}

/** @returns how many links were followed */
async function expectRows<E extends Endpoint, Row extends object>(
  endpoint: E,
  measures: readonly Measure<Row>[],
  by: Omit<Dimension<Row>, 'field' | 'text'> & { field: string },
  asked: Record<string, unknown> = {},
): Promise<number> {
  const { groupBy: _by, grain: _grain, ...chosen } = asked
  const context = contextOf(chosen)
  const answer = (await director.call(endpoint, { ...RANGE, ...asked } as InputOf<E>)) as {
    rows: Row[]
    sum?: Row
  }
  const rows = [...answer.rows.toReversed().slice(0, 4), ...(answer.sum ? [answer.sum] : [])]
  let followed = 0
  for (const row of rows)
    for (const { field, href } of measures) {
      const value = Number(row[field])
      const link = href?.(row, context, by as Dimension<Row>, RANGE) ?? null
      if (link === null || value === 0) continue
      followed += 1
      expect(await countBehind(link, field), `${endpoint.path} ${field} ${link}`).toBe(value)
    }
  return followed
}

async function countBehind(link: string, field: string): Promise<number> {
  const { pathname, searchParams } = new URL(link, 'http://console')
  const list = LISTS[pathname] as Endpoint
  const asked: Record<string, string | string[]> = {}
  for (const name of searchParams.keys()) {
    const values = searchParams.getAll(name)
    if (name !== 'tab' || list === listReviews)
      asked[name] = values.length > 1 ? values : (values[0] ?? '')
  }
  const page = async (pageNum: number): Promise<Page> => {
    const input = { ...listInput(list, asked), pageSize: 100, pageNum }
    return (await director.call(list, input)) as Page
  }
  const summed = SUMMED[field]
  const first = await page(1)
  if (summed === undefined) return first.total
  const rows = [...first.rows]
  for (let n = 2; rows.length < first.total; n += 1) rows.push(...(await page(n)).rows)
  return rows.reduce((sum, row) => sum + summed(row), 0)
}

interface Page {
  rows: Record<string, unknown>[]
  total: number
}

const DAY = { name: 'day', field: 'day', isDay: true } as const

test('figures of reports by day lead to the rows they count', async () => {
  expect(await expectRows(homeFigures, figures.HOME_FIGURES, DAY)).toBeGreaterThan(15)
  expect(await expectRows(channelReport, figures.CHANNEL_FIGURES, DAY)).toBeGreaterThan(6)
  expect(await expectRows(repaymentReport, figures.REPAYMENT_FIGURES, DAY)).toBeGreaterThan(6)
  expect(await expectRows(approveReport, figures.APPROVE_FIGURES, DAY)).toBeGreaterThan(6)
  expect(await expectRows(reloanReport, figures.RELOAN_FIGURES, DAY)).toBeGreaterThan(1)
  expect(await expectRows(reviewReport, reviewFigures.REVIEW_FIGURES, DAY)).toBeGreaterThan(1)
})

// a random floor may have one reviewer, one mistake or one reason only
test('figures of the review lead to the rows they count', async () => {
  const person = { name: 'reviewer', field: 'reviewerName' }
  expect(
    await expectRows(reviewReport, reviewFigures.REVIEW_FIGURES, person, { groupBy: 'reviewer' }),
  ).toBeGreaterThan(0)
  expect(
    await expectRows(qualityReport, reviewFigures.QUALITY_FIGURES, person, {
      groupBy: 'reviewer',
    }),
  ).toBeGreaterThan(0)
  const { reviewers } = await director.call(reportOptions, {})
  const reviewerId = reviewers[0]?.id
  const code = { name: 'code', field: 'code' }
  const hour = { name: 'hour', field: 'hour' }
  expect(await expectRows(reasonReport, reviewFigures.REASON_FIGURES, code)).toBeGreaterThan(0)
  expect(await expectRows(hourReport, reviewFigures.HOUR_FIGURES, hour)).toBeGreaterThan(0)
  // this one may have decided nothing in the range
  await expectRows(hourReport, reviewFigures.HOUR_FIGURES, hour, { reviewerId })
})

test('figures of weeks and months lead to the days of them that are in the range', async () => {
  for (const grain of ['week', 'month'] as const) {
    const by = { name: grain, field: 'day', grain } as const
    expect(
      await expectRows(acquisitionTrend, figures.ACQUISITION_FIGURES, by, { grain }),
    ).toBeGreaterThan(6)
    expect(await expectRows(lendingTrend, figures.LENDING_FIGURES, by, { grain })).toBeGreaterThan(
      6,
    )
  }
})

test('figures of other groups and of chosen filters lead to the rows they count', async () => {
  const { apps, channels, products } = await director.call(reportOptions, {})
  const group = (name: string, field: string) => ({ name, field })
  const chosen = { appId: apps[0]?.id }
  expect(
    await expectRows(channelReport, figures.CHANNEL_FIGURES, group('channel', 'channelName'), {
      groupBy: 'channel',
      ...chosen,
    }),
  ).toBeGreaterThan(3)
  const byClass = group('class', 'customerClass')
  let followed = 0
  for (const { id: productId } of products)
    followed += await expectRows(approveReport, figures.APPROVE_FIGURES, byClass, {
      groupBy: 'class',
      productId,
    })
  expect(followed).toBeGreaterThan(1)
  expect(
    await expectRows(repaymentReport, figures.REPAYMENT_FIGURES, group('product', 'productName'), {
      groupBy: 'product',
    }),
  ).toBeGreaterThan(1)
  expect(
    await expectRows(riskReport, figures.RISK_FIGURES, group('route', 'key'), {
      groupBy: 'route',
      customerClass: 'old',
    }),
  ).toBeGreaterThan(1)
  expect(
    await expectRows(riskReport, figures.RISK_FIGURES, group('code', 'key'), { groupBy: 'code' }),
  ).toBeGreaterThan(1)
  expect(
    await expectRows(reloanReport, figures.RELOAN_FIGURES, group('channel', 'channelName'), {
      groupBy: 'channel',
    }),
  ).toBeGreaterThan(1)
  expect(
    await expectRows(recallTrend, figures.RECALL_FIGURES, group('stage', 'stageId'), {
      groupBy: 'stage',
    }),
  ).toBeGreaterThan(3)
  expect(
    await expectRows(processReport, figures.PROCESS_FIGURES, group('step', 'step'), {
      channelId: channels[0]?.id,
    }),
  ).toBeGreaterThanOrEqual(0)
  // the list of payments has no channels: the figure has no link rather than a wrong one
  const context = contextOf({ channelId: channels[0]?.id })
  const received = figures.HOME_FIGURES.find(({ field }) => field === 'receivedAmount')
  const { today } = await director.call(homeFigures, RANGE)
  expect(received?.href?.(today, context, DAY, RANGE)).toBeNull()
  expect(received?.whyNot?.(today, context, DAY, RANGE)).toBe('reports:rows.noFilter')
})
