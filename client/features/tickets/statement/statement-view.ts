/** Input of the statement from the address, and the format and totals of its figures. Pure. */
import { formatHundredths } from '#shared/kernel/money.ts'
import { addDays, daysBetween } from '#shared/kernel/time.ts'
import {
  STATEMENT_GROUPS,
  type StatementGroup,
  TICKET_QUEUES,
} from '#shared/tickets/ticket-sets.ts'
import type { StatementRow, TicketQueue } from '../ticket-types.ts'

/** Longest range of the call, in IST days including both ends. */
export const STATEMENT_DAYS = 92
const DAY = /^\d{4}-\d{2}-\d{2}$/

export interface StatementInput {
  /** IST days, both inclusive. */
  from: string
  to: string
  by: StatementGroup
  queue: TicketQueue | null
}

/** @param today IST day; a missing or invalid range becomes the last seven days */
export function readStatement(query: URLSearchParams, today: string): StatementInput {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const isRange = isDay(from) && isDay(to) && from <= to && daysBetween(from, to) < STATEMENT_DAYS
  return {
    ...(isRange ? { from, to } : { from: addDays(today, -6), to: today }),
    by: STATEMENT_GROUPS.find((group) => group === query.get('by')) ?? 'day',
    queue: TICKET_QUEUES.find((queue) => queue === query.get('queue')) ?? null,
  }
}

/** A rating times 100: 425 → `4.25`. */
export function meanText(hundredths: number | null): string {
  return hundredths === null ? '—' : formatHundredths(hundredths)
}

type Figures = Omit<StatementRow, 'key' | 'name'>

/** Sums of the rows; averages are left out, because an average of averages is wrong. */
export function totalOf(rows: readonly StatementRow[]): Figures {
  const sum = (of: (row: StatementRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    created: sum((row) => row.created),
    finished: sum((row) => row.finished),
    open: sum((row) => row.open),
    slaMissed: sum((row) => row.slaMissed),
    handovers: sum((row) => row.handovers),
    escalated: sum((row) => row.escalated),
    avgFirstReplySec: null,
    avgFinishSec: null,
    avgEvaluation: null,
  }
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
}
