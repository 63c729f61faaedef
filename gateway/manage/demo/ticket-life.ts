import { afterRemark, followLifecycle, type FollowState } from '#shared/tickets/follow-lifecycle.ts'
import { escalationsDue, tightened } from '#shared/tickets/ticket-clock.ts'
import type { ProgressState } from '#shared/tickets/ticket-lifecycle.ts'
import { MAX_LEVEL, type StepKind } from '#shared/tickets/ticket-sets.ts'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { Row } from './bulk-insert.ts'
import { MINUTE, SECOND } from './life.ts'
import { CUSTOMER_APP } from './doers.ts'

const ESCALATE_DAYS = [20, 25, 29]
const SYSTEM: Person = { id: '', name: 'ticketDistribute', mark: '', department: null }
const CUSTOMER: Person = { id: '', name: CUSTOMER_APP.name, mark: '', department: null }
export const iso = (at: number): string => new Date(at).toISOString()

export interface Person {
  id: string
  name: string
  mark: string
  department: string | null
}

/** One ticket as its steps leave it. */
export class TicketLife {
  readonly id: string
  readonly createdAt: number
  readonly steps: Row[] = []
  progress: ProgressState = 'unprocessed'
  follow: FollowState = 'notFollowed'
  processor: Person | null = null
  token = 0
  level = 0
  autoLevel = 0
  lastAt: number
  replyDueAt: number
  answerDueAt: number
  firstReplyAt: number | null = null
  finishedAt: number | null = null
  reopenedAt: number | null = null
  claimedAt: number | null = null
  evaluation: number | null = null
  handoverState: string | null = null

  constructor(id: string, createdAt: number, due: { replyDueAt: number; answerDueAt: number }) {
    this.id = id
    this.createdAt = createdAt
    this.lastAt = createdAt
    this.replyDueAt = due.replyDueAt
    this.answerDueAt = due.answerDueAt
    this.#step('created', CUSTOMER, createdAt, null, {})
  }

  #step(
    kind: StepKind,
    by: Person,
    at: number,
    from: ProgressState | null,
    more: { content?: string | null; remark?: string; internal?: boolean; message?: string },
  ): void {
    this.lastAt = at
    this.steps.push({
      feedback_id: this.id,
      kind,
      operator_id: by.id === '' ? null : by.id,
      operator_name: by.name,
      content: more.content ?? null,
      remark: more.remark ?? null,
      internal: more.internal ?? false,
      from_state: from,
      to_state: this.progress,
      token: this.token,
      processor_id: this.progress === 'followingUp' ? (this.processor?.id ?? null) : null,
      message: more.message ?? null,
      at,
    })
  }
  take(kind: 'claimed', by: Person, at: number): void {
    const from = this.progress
    this.progress = 'followingUp'
    this.processor = by
    this.token += 1
    this.claimedAt = at
    this.#step(kind, by, at, from, {})
  }
  note(kind: 'note' | 'reply', by: Person, at: number, content: string): void {
    this.follow = afterRemark(this.follow, content)
    if (kind === 'reply') this.firstReplyAt ??= at
    this.#step(kind, by, at, this.progress, {
      content,
      internal: kind === 'note',
      ...(kind === 'reply' ? { message: 'sent' } : {}),
    })
  }
  goBack(at: number): void {
    const from = this.progress
    this.progress = 'unprocessed'
    this.processor = null
    this.token += 1
    this.#step('offDuty', SYSTEM, at, from, {})
  }
  raise(by: Person, at: number): void {
    if (this.level >= MAX_LEVEL) return
    this.#tighten(at)
    this.#step('escalated', by, at, this.progress, { content: 'Needs a decision of the bank' })
  }
  /** Escalations of the days that have come, one minute after midnight IST. */
  escalateUpTo(now: number): void {
    const due = escalationsDue(iso(this.createdAt), iso(now), ESCALATE_DAYS)
    for (; this.autoLevel < due;) {
      const at = Math.max(
        this.lastAt + SECOND,
        istMidnight(
          addDays(istDay(this.createdAt), ESCALATE_DAYS[this.autoLevel] as number),
        ).getTime() + MINUTE,
      )
      this.autoLevel += 1
      if (this.level >= MAX_LEVEL) continue
      this.#tighten(at)
      this.#step(
        'autoEscalated',
        { ...SYSTEM, name: 'ticketSla' },
        Math.min(at, now),
        this.progress,
        { content: istDay(this.createdAt) },
      )
    }
  }
  #tighten(at: number): void {
    this.level += 1
    this.replyDueAt = Date.parse(tightened(iso(this.replyDueAt), iso(at)))
    this.answerDueAt = Date.parse(tightened(iso(this.answerDueAt), iso(at)))
  }
  finish(by: Person, at: number, content: string): void {
    const from = this.progress
    this.progress = 'finished'
    this.follow = followLifecycle.next(this.follow, { type: 'CLOSE', ticketEnds: true })
    this.finishedAt = at
    this.#step('resolved', by, at, from, { content, message: 'sent' })
  }
  rate(at: number, evaluation: number, now: number): void {
    // a low rating would have opened it again
    if (at > now || evaluation < 3) return
    this.evaluation = evaluation
    this.#step('rated', CUSTOMER, at, this.progress, { content: `${evaluation}/5` })
  }
  reopen(at: number, by: Person): void {
    const from = this.progress
    this.progress = 'followingUp'
    this.follow = followLifecycle.next(this.follow, { type: 'REOPEN', ticketReopens: true })
    this.processor = by
    this.finishedAt = null
    this.reopenedAt = at
    this.claimedAt = at
    this.evaluation = 2
    this.#step('reopened', CUSTOMER, at, from, { content: '2/5' })
  }
  ask(by: Person, at: number, to: string | null, reason: string): void {
    this.handoverState = 'pending'
    this.#step('handoverAsked', by, at, this.progress, {
      content: to,
      remark: reason,
      internal: true,
    })
  }
}
