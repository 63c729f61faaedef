import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { RISK_MEASURES, type riskReport as call } from '#shared/reports/approve-api.ts'
import { figuresOf, MEASURES } from '#shared/reports/measures.ts'
import { istDay } from '#shared/kernel/time.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import { tagsOf } from './order-class.ts'
import { ruleNames, shareNames } from './report-names.ts'
import {
  checkDays,
  daysBefore,
  joined,
  type Key,
  type Range,
  type Source,
  freshnessOf,
  sumsOf,
  total,
} from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>

const BY_KEY: Key = () => sql`t.key`

/**
 * A row per route, rule, code or side of a share, the most frequent first. What was paid counts by due day, and only
 * where waiting cannot change it any more.
 * @throws Problem G-FIELD for a range that is reversed or too long
 */
export async function riskReport(db: Db, input: Input): Promise<Answer> {
  checkDays(input)
  const { groupBy = 'route' } = input
  const [freshness, names] = await Promise.all([
    freshnessOf(db),
    groupBy === 'rule' ? ruleNames(db) : groupBy === 'share' ? shareNames(db) : null,
  ])
  const rowsOf = async (days: Range): Promise<Answer['rows']> => {
    const { groups, judged } = await read(db, days, input, istDay(freshness.asOf))
    return [...groups]
      .filter(([, { hits = 0, due7 = 0 }]) => hits + due7 > 0)
      .map(([key, sums]) => ({
        key,
        name: names?.get(key) ?? null,
        ...figuresOf(RISK_MEASURES, { ...sums, judged }),
      }))
      .toSorted((a, b) => (b.hits ?? 0) - (a.hits ?? 0) || (a.key < b.key ? -1 : 1))
  }
  const [rows, previous] = await Promise.all([rowsOf(input), rowsOf(daysBefore(input))])
  return { rows, previous, ...freshness }
}

async function read(
  db: Db,
  range: Range,
  { groupBy = 'route', appId, productId, customerClass }: Input,
  today: string,
) {
  const filters = { app_id: appId, product_id: productId, tag: tagsOf(customerClass) }
  const own = { ...filters, kind: groupBy }
  const found: Source = {
    table: 'report_risk_day',
    day: 'day',
    sums: {
      hits: total('hits'),
      overrides: total('passed'),
      limits: total('limits'),
      limitAmount: total('limit_amount'),
    },
    filters: own,
  }
  const isOld = (days: number) => sql<boolean>`t.due_day + ${sql.lit(days)} < ${today}::date`
  const [t7, t30] = [isOld(MEASURES.overdueT7Rate.age), isOld(MEASURES.overdueT30Rate.age)]
  const paid: Source = {
    table: 'report_risk_due',
    day: 'due_day',
    sums: {
      due7: total('due', t7),
      unpaid7: total('unpaid_7', t7),
      due30: total('due', t30),
      unpaid30: total('unpaid_30', t30),
      firstDue: total('first_due', isOld(MEASURES.firstDefaultRate.age)),
      firstUnpaid: total('first_unpaid', isOld(MEASURES.firstDefaultRate.age)),
    },
    filters: own,
  }
  const [hits, due, orders] = await Promise.all([
    sumsOf(db, range, found, BY_KEY),
    sumsOf(db, range, paid, BY_KEY),
    sumsOf(db, range, judgedOf(filters), () => sql`t.day`),
  ])
  return { groups: joined([hits, due]).groups, judged: orders.all.judged ?? 0 }
}

/** Each application is judged by the machine first. */
function judgedOf(filters: Source['filters']): Source {
  const judged = total(['auto_passed', 'auto_failed', 'undecided', 'limit_failed'])
  return { table: 'report_order_day', day: 'day', sums: { judged }, filters }
}
