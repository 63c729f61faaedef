import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { Sums } from '#shared/reports/measures.ts'
import {
  ORDER_TAGS,
  REPAYMENT_MEASURES,
  type repaymentReport as call,
} from '#shared/reports/repayment-api.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { StaffActor } from '#gateway/manage/kernel/actor.ts'
import { byColumn, byGrain, groupedReport, type Grouping } from './grouped-report.ts'
import { classOf, ORDER_CLASS } from './order-class.ts'
import { repaymentFilters } from './repayment-filters.ts'
import { productNames } from './report-names.ts'
import { type Source, total } from './report-parts.ts'

type Input = InputOf<typeof call>
type Answer = DataOf<typeof call>
type Keys = Pick<
  Answer['rows'][number],
  'day' | 'productId' | 'productName' | 'tag' | 'customerClass'
>

const NO_KEYS: Keys = {
  day: null,
  productId: null,
  productName: null,
  tag: null,
  customerClass: null,
}

/** @throws Problem G422 for a range that is reversed or too long */
export async function repaymentReport(
  db: Db,
  actor: StaffActor,
  { groupBy = 'day', ...input }: Input,
): Promise<Answer> {
  const filters = repaymentFilters(actor, input)
  return groupedReport(db, input, {
    measures: REPAYMENT_MEASURES,
    rank: 'dueAmount',
    grouping: await groupingOf(db, groupBy),
    complete,
    sources: (today) => [dueOf(today, filters), paidOf(today, filters)],
  })
}

/** Whether something was paid on time is known when the due day has ended. */
function complete(sums: Sums): Sums {
  return { ...sums, toPayByDue: sums.toPayByDueDone ?? 0, paidByDue: sums.paidByDueDone ?? 0 }
}

function dueOf(today: string, filters: Source['filters']): Source {
  return {
    table: 'report_cohort',
    day: 'due_day',
    sums: {
      duePlans: total('plans'),
      dueAmount: total('due_amount'),
      extendedPlans: total('extended'),
      reducedAmount: total('reduced'),
      writtenOffAmount: total('written_off'),
      openAmount: total('open_amount'),
      toPayByDue: total('due_amount'),
      toPayByDueDone: total('due_amount', sql`t.due_day < ${today}::date`),
    },
    filters,
  }
}

function paidOf(today: string, filters: Source['filters']): Source {
  const [early, onTime, late] = [sql`t.at_day < 0`, sql`t.at_day = 0`, sql`t.at_day > 0`]
  return {
    table: 'report_curve',
    day: 'due_day',
    sums: {
      earlyPlans: total('settled', sql<boolean>`${early}`),
      earlyAmount: total('paid', sql<boolean>`${early}`),
      onTimePlans: total('settled', sql<boolean>`${onTime}`),
      onTimeAmount: total('paid', sql<boolean>`${onTime}`),
      latePlans: total('settled', sql<boolean>`${late}`),
      lateAmount: total('paid', sql<boolean>`${late}`),
      paidByDue: total('paid', sql`t.at_day <= 0`),
      paidByDueDone: total('paid', sql`t.at_day <= 0 and t.due_day < ${today}::date`),
    },
    filters,
  }
}

async function groupingOf(db: Db, groupBy: NonNullable<Input['groupBy']>): Promise<Grouping<Keys>> {
  if (groupBy === 'day') return byGrain('day', (day) => ({ ...NO_KEYS, day }))
  if (groupBy === 'class')
    return {
      key: () => ORDER_CLASS,
      keysOf: (key) => ({ ...NO_KEYS, customerClass: classOf(key) }),
    }
  if (groupBy === 'tag')
    return byColumn('tag', (key) => ({
      ...NO_KEYS,
      tag: ORDER_TAGS.find((tag) => tag === key) ?? null,
    }))
  const names = await productNames(db)
  return byColumn('product_id', (id) => ({
    ...NO_KEYS,
    productId: id,
    productName: names.get(id) ?? id,
  }))
}
