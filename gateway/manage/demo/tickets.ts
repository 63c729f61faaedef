/**
 * The tickets of the demo: every type and state, some near their due time or past it, some with a
 * hand-over to decide, and open grievances that hold their customers' cases. Each lives its steps
 * in order; the row follows from them, so that the invariants hold.
 */
import { sql } from 'kysely'
import { afterRemark, followLifecycle, type FollowState } from '#shared/tickets/follow-lifecycle.ts'
import {
  answerDue,
  escalationsDue,
  replyDue,
  tightened,
  WARN_MINUTES,
} from '#shared/tickets/ticket-clock.ts'
import type { ProgressState } from '#shared/tickets/ticket-lifecycle.ts'
import {
  isGrievance,
  MAX_LEVEL,
  queueOf,
  type StepKind,
  type TicketType,
  TYPE_NAMES,
} from '#shared/tickets/ticket-sets.ts'
import { addDays, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert, type Row } from './bulk-insert.ts'
import { CUSTOMER_APP, HOUR, MINUTE, SECOND } from './life.ts'
import { type Rng, rngOf } from './random.ts'
import { FIRST_NUMBER } from './tables.ts'

const DAY = 24 * HOUR
const ESCALATE_DAYS = [20, 25, 29]
const RESOLVE_DAYS = 30
const NORMAL_BOOK = 2_000

type Shape =
  /** Waits in the queue; `dueIn` minutes to the first reply, below 0 it is late. */
  | { at: 'waiting'; dueIn: (n: number, rng: Rng) => number }
  /** Claimed minutes ago, not answered yet. */
  | { at: 'claimed' }
  /** Answered; came in so many days ago. */
  | {
      at: 'answered'
      days: (n: number, rng: Rng) => number
      offer?: 'person' | 'department'
      raised?: boolean
      reopened?: boolean
    }
  | { at: 'finished'; days: (n: number, rng: Rng) => number }

interface Entry {
  /** How many in a book of 2,000 customers; at least one in any. */
  count: number
  types: readonly TicketType[]
  shape: Shape
}
const some =
  (from: number, to: number) =>
  (_n: number, rng: Rng): number =>
    rng.int(from, to)

const ENTRIES: readonly Entry[] = [
  { count: 14, types: [1, 2, 3, 6, 1], shape: { at: 'waiting', dueIn: some(40, 230) } },
  { count: 4, types: [2, 3], shape: { at: 'waiting', dueIn: (n) => 4 + n * 4 } },
  { count: 5, types: [3, 2, 1], shape: { at: 'waiting', dueIn: some(-180, -6) } },
  // open grievances: each holds the cases of its customer
  { count: 5, types: [4, 5], shape: { at: 'waiting', dueIn: some(15, 220) } },
  { count: 4, types: [4, 5, 4], shape: { at: 'answered', days: some(1, 12) } },
  { count: 1, types: [5], shape: { at: 'answered', days: () => 26, raised: true } },
  { count: 8, types: [1, 3, 2, 6], shape: { at: 'claimed' } },
  { count: 16, types: [1, 2, 3, 3, 6], shape: { at: 'answered', days: some(0, 14) } },
  { count: 3, types: [3, 2], shape: { at: 'answered', days: some(20, 29) } },
  { count: 3, types: [2, 3, 1], shape: { at: 'answered', days: some(1, 6), raised: true } },
  { count: 2, types: [3, 1], shape: { at: 'answered', days: some(6, 15), reopened: true } },
  { count: 5, types: [1, 3, 2], shape: { at: 'answered', days: some(0, 5), offer: 'person' } },
  { count: 3, types: [3], shape: { at: 'answered', days: some(1, 5), offer: 'department' } },
  { count: 60, types: [1, 2, 3, 1, 3, 6, 4, 5], shape: { at: 'finished', days: some(1, 45) } },
]

const WORDS: Record<TicketType, readonly string[]> = {
  1: [
    'The app closes when I open my loan',
    'I cannot upload my photo, it says try again',
    'The app asks me to log in every day',
    'I do not see the repayment screen any more',
    'The language changed to English by itself',
  ],
  2: [
    'My loan was approved on Monday and the money has not come',
    'The amount that came is smaller than the one I signed',
    'My bank says the transfer was sent back',
    'I gave the wrong account, please stop the transfer',
  ],
  3: [
    'I paid by UPI yesterday and it is not booked',
    'I paid twice by mistake, please give one back',
    'The link says expired when I want to pay',
    'Please tell me the exact amount to close the loan',
    'The receipt shows another amount than the app',
  ],
  4: [
    'I was called three times on the same day',
    'The caller would not tell me his name',
    'I asked to be called after six and he calls at noon',
    'He spoke to my neighbour about my loan',
  ],
  5: [
    'The charges are higher than what the agreement says',
    'Nobody has answered my last two messages',
    'I want to speak to the grievance officer',
    'My data was changed without my asking',
  ],
  6: [
    'Please change my e-mail address',
    'How long does a new application take',
    'I want the agreement as a file',
    'Can I move my due day to the fifth',
  ],
}
const ANSWERS = [
  'We have your message and look into it',
  'Thank you, we have asked the bank and come back to you',
  'Please send the UTR of the payment, then we can book it',
  'This was corrected just now, please look again',
]
const NOTES = [
  'Bank asked, answer by tomorrow',
  'Same question as last month, see the history',
  'Recording listened to, caller was polite',
  'Waits for the UTR',
]
const ENDINGS = [
  'Payment found and booked on the loan',
  'Explained the charges line by line',
  'App update solved it, customer agrees',
  'Transfer repeated, money arrived',
  'Spoke to the collector; calls only after six from now on',
  'Address changed in the customer record',
]

interface Person {
  id: string
  name: string
  mark: string
  department: string | null
}
interface Borrower {
  id: string
  order_id: string
  is_overdue: boolean
  case_id: string | null
  department: string | null
  collector_id: string | null
  collector_name: string | null
}

/** @param asOf instant the book is of, milliseconds */
export async function seedTickets(
  trx: Trx,
  { asOf, seed, customers }: { asOf: number; seed: number; customers: number },
): Promise<number> {
  const share = Math.min(1, customers / NORMAL_BOOK)
  const counts = ENTRIES.map(({ count }) => Math.max(1, Math.round(count * share)))
  const book = new TicketBook(await peopleOf(trx), await minutesOf(trx), { asOf, seed })
  // a quarter of the tickets is about overdue loans; grievances need cases that somebody may be
  // held on
  const most = counts.reduce((sum, count) => sum + count, 0)
  const [overdue, running] = await Promise.all([
    borrowersOf(trx, true, most, asOf),
    borrowersOf(trx, false, most, asOf),
  ])
  for (const [i, { types, shape }] of ENTRIES.entries()) {
    for (let n = 0; n < (counts[i] as number); n += 1) {
      const type = types[n % types.length] as TicketType
      const wantsOverdue =
        isGrievance(type) ||
        (type === 3 && (n % 2 === 0 || (shape.at === 'answered' && shape.offer === 'department')))
      const borrower =
        (wantsOverdue ? overdue.shift() : undefined) ?? running.shift() ?? overdue.shift()
      if (borrower) book.add(borrower, type, shape, n)
    }
  }
  await book.write(trx)
  return book.size
}

async function peopleOf(trx: Trx): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, u.user_name as name, g.unique_mark as mark, u.department_id as department from sys_user u
      join sys_role g on g.id = u.role_id
    where g.unique_mark in ('customer_service', 'collection_specialist', 'manager')
      order by length(u.account), u.account`.execute(trx)
  return rows
}

async function minutesOf(trx: Trx): Promise<Map<string, number>> {
  const { rows } = await sql<{
    code: string
    value: string
  }>`select c.code, c.value from sys_config c where starts_with(c.code, 'ticket.sla.')`.execute(trx)
  return new Map(rows.map(({ code, value }) => [code.slice('ticket.sla.'.length), Number(value)]))
}

/**
 * One loan each of different customers, older than any ticket where there are enough, spread over
 * the book; a case that is held already keeps its own reason.
 */
async function borrowersOf(
  trx: Trx,
  isOverdue: boolean,
  most: number,
  asOf: number,
): Promise<Borrower[]> {
  const { rows } = await sql<Borrower>`
    select t.* from (
      select distinct on (o.customer_id) o.customer_id as id, o.id as order_id, o.status in (50,
        90) as is_overdue, x.id as case_id, x.department_id as department, x.collector_id,
        k.user_name as collector_name,
        o.created_at < ${iso(asOf - 46 * DAY)}::timestamptz as is_old
      from loan_order o left join collection_case x on x.order_id = o.id and x.state <> 'closed' left
        join sys_user k on k.id = x.collector_id
      where ${isOverdue ? sql`o.status in (50, 90) and x.state in ('unallocated', 'allocated', 'promised')` : sql`o.status in (20, 26, 30, 31, 40, 41) and x.id is null and not exists (select 1 from collection_case y where y.customer_id = o.customer_id and y.state <> 'closed')`}
      order by o.customer_id, o.id
    ) t order by t.is_old desc, md5(t.id) limit ${most}`.execute(trx)
  return rows
}

class TicketBook {
  readonly #people: readonly Person[]
  readonly #minutes: ReadonlyMap<string, number>
  readonly #at: { asOf: number; seed: number }
  readonly #tickets: Row[] = []
  readonly #steps: Row[] = []
  readonly #handovers: Row[] = []
  readonly #stops: Row[] = []

  constructor(
    people: readonly Person[],
    minutes: ReadonlyMap<string, number>,
    at: { asOf: number; seed: number },
  ) {
    this.#people = people
    this.#minutes = minutes
    this.#at = at
  }
  get size(): number {
    return this.#tickets.length
  }

  add(borrower: Borrower, type: TicketType, shape: Shape, n: number): void {
    const { asOf, seed } = this.#at
    const rng = rngOf(seed, 'ticket', borrower.id)
    const minutes = this.#minutes.get(TYPE_NAMES[type]) as number
    const createdAt = asOf - ageOf(shape, n, rng, minutes)
    const queue = queueOf(type, borrower.is_overdue)
    const id = `FB${FIRST_NUMBER + this.#tickets.length}`
    const life = new TicketLife(id, createdAt, {
      replyDueAt: Date.parse(replyDue(iso(createdAt), minutes)),
      answerDueAt: Date.parse(answerDue(iso(createdAt), RESOLVE_DAYS)),
    })
    const about = isGrievance(type) ? borrower.collector_id : null
    const answering = this.#people.filter(
      ({ mark, id: userId }) =>
        (mark === 'customer_service' || (queue === 'loaned' && mark === 'collection_specialist')) &&
        userId !== about,
    )
    const [first, second] = [rng.pick(answering), rng.pick(answering)]
    this.#live(life, shape, { n, rng, minutes, first, second })
    const colleague = answering.find(
      ({ id: userId, mark }) => mark === 'customer_service' && userId !== life.processor?.id,
    )
    if (shape.at === 'answered' && shape.offer && life.processor && colleague)
      this.#offer(
        life,
        shape.offer === 'department' && queue === 'loaned' ? borrower.department : null,
        colleague,
        rng,
      )
    const due =
      life.firstReplyAt === null ? Math.min(life.replyDueAt, life.answerDueAt) : life.answerDueAt
    const isLeased = life.progress === 'followingUp' && life.firstReplyAt === null
    this.#tickets.push({
      id,
      customer_id: borrower.id,
      order_id: borrower.order_id,
      type,
      content: rng.pick(WORDS[type]),
      contact_way: rng.pick(['phone', 'phone', 'sms', 'whatsapp', 'email']),
      queue,
      department: queue === 'loaned' ? (life.processor?.department ?? borrower.department) : null,
      progress: life.progress,
      follow_state: life.follow,
      processor_id: life.processor?.id ?? null,
      processor_name: life.processor?.name ?? null,
      about_id: about,
      about_name: about === null ? null : borrower.collector_name,
      handover_state: life.handoverState,
      level: life.level,
      auto_level: life.autoLevel,
      reply_due_at: life.replyDueAt,
      answer_due_at: life.answerDueAt,
      sla_told:
        life.progress === 'finished' || due > asOf + WARN_MINUTES * MINUTE ? 0 : due > asOf ? 1 : 2,
      first_reply_at: life.firstReplyAt,
      finished_at: life.finishedAt,
      reopened_at: life.reopenedAt,
      evaluation: life.evaluation,
      token: life.token,
      claimed_at: life.claimedAt,
      idle_until: isLeased ? asOf + rng.int(8, 28) * MINUTE : null,
      created_by: null,
      created_at: createdAt,
      updated_at: life.lastAt,
      version: life.steps.length,
    })
    this.#steps.push(...life.steps)
    if (isGrievance(type)) this.#stop(id, borrower, life)
  }

  #live(
    life: TicketLife,
    shape: Shape,
    {
      n,
      rng,
      minutes,
      first,
      second,
    }: { n: number; rng: Rng; minutes: number; first: Person; second: Person },
  ): void {
    const { asOf } = this.#at
    const { createdAt } = life
    if (shape.at === 'waiting') return life.escalateUpTo(asOf)
    if (shape.at === 'claimed') return life.take('claimed', first, asOf - rng.int(1, 19) * MINUTE)
    const until =
      shape.at === 'finished'
        ? Math.min(asOf - 20 * MINUTE, createdAt + rng.int(5, 90) * HOUR)
        : asOf - 10 * MINUTE
    // one first reply in eight came too late
    const repliedAt = Math.min(
      createdAt + Math.round(minutes * (n % 8 === 3 ? 1.3 : 0.15 + 0.5 * rng.next())) * MINUTE,
      until - 2 * MINUTE,
    )
    life.take('claimed', first, Math.max(createdAt + MINUTE, repliedAt - rng.int(2, 9) * MINUTE))
    if (rng.chance(0.3))
      life.note(
        'note',
        first,
        Math.max(life.lastAt + 10 * SECOND, repliedAt - MINUTE),
        rng.pick(NOTES),
      )
    life.note('reply', first, Math.max(life.lastAt + 20 * SECOND, repliedAt), rng.pick(ANSWERS))
    if (shape.at === 'finished') {
      life.finish(first, Math.max(until, life.lastAt + MINUTE), rng.pick(ENDINGS))
      if (rng.chance(0.6))
        life.rate(life.lastAt + rng.int(1, 20) * MINUTE, rng.pick([5, 5, 4, 4, 3, 2]), asOf)
      return
    }
    if (shape.reopened === true) {
      life.finish(first, life.lastAt + rng.int(1, 20) * HOUR, rng.pick(ENDINGS))
      life.reopen(asOf - rng.int(3, 20) * HOUR, first)
      return
    }
    // whoever began it was away since; the present processor has it since today
    if (asOf - life.lastAt > 20 * HOUR) {
      life.escalateUpTo(asOf - 19 * HOUR)
      life.goBack(Math.max(life.lastAt + MINUTE, asOf - rng.int(14, 18) * HOUR))
      life.take('claimed', second, asOf - rng.int(30, 600) * MINUTE)
    }
    if (shape.raised === true && life.processor !== null)
      life.raise(life.processor, asOf - rng.int(11, 25) * MINUTE)
    life.escalateUpTo(asOf)
  }

  #offer(life: TicketLife, department: string | null, colleague: Person, rng: Rng): void {
    const { asOf } = this.#at
    const from = life.processor as Person
    const at = Math.max(life.lastAt + SECOND, asOf - rng.int(3, 9) * MINUTE)
    const toUser = department === null ? colleague : null
    life.ask(from, at, toUser?.name ?? null, 'Needs somebody who knows the bank')
    this.#handovers.push({
      id: `FH${FIRST_NUMBER + this.#handovers.length}`,
      feedback_id: life.id,
      from_user_id: from.id,
      from_name: from.name,
      to_user_id: toUser?.id ?? null,
      to_name: toUser?.name ?? null,
      to_department: toUser === null ? department : null,
      requested_by: from.id,
      state: 'pending',
      reason: 'Needs somebody who knows the bank',
      item_token: life.token,
      expires_at: at + DAY,
      created_at: at,
    })
  }

  /** An open grievance stops collection, an ended one did. */
  #stop(ticketId: string, borrower: Borrower, life: TicketLife): void {
    const isOpen = life.finishedAt === null
    this.#stops.push({
      customer_id: borrower.id,
      reason: 'grievance',
      start_at: life.createdAt,
      end_at: null,
      state: isOpen ? 'active' : 'ended',
      ticket_id: ticketId,
      applied_by_name: CUSTOMER_APP.name,
      applied_at: life.createdAt,
      ended_at: isOpen ? null : life.finishedAt,
      remark: ticketId,
    })
  }

  async write(trx: Trx): Promise<void> {
    await bulkInsert(
      trx,
      'feedback',
      {
        id: 'text',
        customer_id: 'text',
        order_id: 'text',
        type: 'int',
        content: 'text',
        contact_way: 'text',
        queue: 'text',
        department: 'text',
        progress: 'text',
        follow_state: 'text',
        processor_id: 'text',
        processor_name: 'text',
        about_id: 'text',
        about_name: 'text',
        handover_state: 'text',
        level: 'int',
        auto_level: 'int',
        reply_due_at: 'timestamptz',
        answer_due_at: 'timestamptz',
        sla_told: 'int',
        first_reply_at: 'timestamptz',
        finished_at: 'timestamptz',
        reopened_at: 'timestamptz',
        evaluation: 'int',
        token: 'int',
        claimed_at: 'timestamptz',
        idle_until: 'timestamptz',
        created_by: 'text',
        created_at: 'timestamptz',
        updated_at: 'timestamptz',
        version: 'int',
      },
      this.#tickets,
    )
    await bulkInsert(
      trx,
      'feedback_step',
      {
        feedback_id: 'text',
        kind: 'text',
        operator_id: 'text',
        operator_name: 'text',
        content: 'text',
        remark: 'text',
        internal: 'boolean',
        from_state: 'text',
        to_state: 'text',
        token: 'int',
        processor_id: 'text',
        message: 'text',
        at: 'timestamptz',
      },
      this.#steps,
    )
    await bulkInsert(
      trx,
      'feedback_handover',
      {
        id: 'text',
        feedback_id: 'text',
        from_user_id: 'text',
        from_name: 'text',
        to_user_id: 'text',
        to_name: 'text',
        to_department: 'text',
        requested_by: 'text',
        state: 'text',
        reason: 'text',
        item_token: 'int',
        expires_at: 'timestamptz',
        created_at: 'timestamptz',
      },
      this.#handovers,
    )
    await bulkInsert(
      trx,
      'stop_collection',
      {
        customer_id: 'text',
        reason: 'text',
        start_at: 'timestamptz',
        end_at: 'date',
        state: 'text',
        ticket_id: 'text',
        applied_by_name: 'text',
        applied_at: 'timestamptz',
        ended_at: 'timestamptz',
        remark: 'text',
      },
      this.#stops,
    )
    await holdCases(trx)
    // the last of customer service takes tickets by itself: somebody does, and the others find a
    // queue
    const taker = this.#people.filter(({ mark }) => mark === 'customer_service').at(-1)
    if (taker)
      await sql`
        insert into feedback_distributor (user_id, queue, "on")
          values (${taker.id}, 'operation', true), (${taker.id}, 'loaned', true)`.execute(trx)
    await sql`
      select setval('feedback_id_seq', ${FIRST_NUMBER + this.#tickets.length}, false),
        setval('feedback_handover_id_seq', ${FIRST_NUMBER + this.#handovers.length}, false)`.execute(
      trx,
    )
  }
}

/**
 * What a grievance does to the cases of its customer: off every desk, an open promise cancelled.
 */
async function holdCases(trx: Trx): Promise<void> {
  await sql`
    update collection_case c set state = 'held', hold_reason = 'grievance', hold_until = null,
      ptp_state = case when c.ptp_state = 'open' then 'cancelled'
      else c.ptp_state end, version = c.version + 1
    where c.state in ('unallocated', 'allocated', 'promised')
      and c.customer_id in (select s.customer_id from stop_collection s where s.reason = 'grievance'
      and s.state = 'active')`.execute(trx)
  await sql`
    update collector k set open_cases = (select count(*)::int from collection_case c
      where c.collector_id = k.user_id and c.state in ('allocated', 'promised'))`.execute(trx)
}

const SYSTEM: Person = { id: '', name: 'ticketDistribute', mark: '', department: null }
const CUSTOMER: Person = { id: '', name: CUSTOMER_APP.name, mark: '', department: null }
const iso = (at: number): string => new Date(at).toISOString()

/** Milliseconds since the ticket came in. */
function ageOf(shape: Shape, n: number, rng: Rng, minutes: number): number {
  if (shape.at === 'waiting') return Math.max(2, minutes - shape.dueIn(n, rng)) * MINUTE
  if (shape.at === 'claimed') return rng.int(22, Math.max(23, Math.min(150, minutes - 20))) * MINUTE
  return shape.days(n, rng) * DAY + rng.int(3 * 60, 9 * 60) * MINUTE
}

/** One ticket as its steps leave it. */
class TicketLife {
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
