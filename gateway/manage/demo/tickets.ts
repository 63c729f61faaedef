/**
 * The tickets of the demo: every type and state, some near their due time or past it, some with a
 * hand-over to decide, and open grievances that hold their customers' cases. Each lives its steps
 * in order; the row follows from them, so that the invariants hold.
 */
import { sql } from 'kysely'
import { answerDue, replyDue, WARN_MINUTES } from '#shared/tickets/ticket-clock.ts'
import { isGrievance, queueOf, type TicketType, TYPE_NAMES } from '#shared/tickets/ticket-sets.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { bulkInsert, type Row } from './bulk-insert.ts'
import {
  FEEDBACK_COLUMNS,
  FEEDBACK_STEP_COLUMNS,
  FEEDBACK_HANDOVER_COLUMNS,
  STOP_COLLECTION_COLUMNS,
} from './ticket-columns.ts'
import { HOUR, MINUTE, SECOND } from './life.ts'
import { CUSTOMER_APP } from './doers.ts'
import { type Rng, rngOf } from './random.ts'
import { FIRST_NUMBER } from './tables.ts'
import { iso, type Person, TicketLife } from './ticket-life.ts'
import { ANSWERS, ENDINGS, NOTES, WORDS } from './ticket-texts.ts'

const IS_OVERDUE = sql`
  o.status in (50, 90) and x.state in ('unallocated', 'allocated', 'promised')`

/** A running loan of a customer without an open case. */
const IS_RUNNING = sql`
  o.status in (20, 26, 30, 31, 40, 41) and x.id is null and not exists (
    select 1
    from collection_case y
    where y.customer_id = o.customer_id
      and y.state <> 'closed'
  )`

const DAY = 24 * HOUR
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
      select distinct on (o.customer_id) o.customer_id as id, o.id as order_id,
        o.status in (50, 90) as is_overdue, x.id as case_id, x.department_id as department,
        x.collector_id, k.user_name as collector_name,
        o.created_at < ${iso(asOf - 46 * DAY)}::timestamptz as is_old
      from loan_order o
      left join collection_case x on x.order_id = o.id and x.state <> 'closed'
      left join sys_user k on k.id = x.collector_id
      where ${isOverdue ? IS_OVERDUE : IS_RUNNING}
      order by o.customer_id, o.id
    ) t
    order by t.is_old desc, md5(t.id)
    limit ${most}`.execute(trx)
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
    // its first processor went off duty; the present one took it over today
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
    await bulkInsert(trx, 'feedback', FEEDBACK_COLUMNS, this.#tickets)
    await bulkInsert(trx, 'feedback_step', FEEDBACK_STEP_COLUMNS, this.#steps)
    await bulkInsert(trx, 'feedback_handover', FEEDBACK_HANDOVER_COLUMNS, this.#handovers)
    await bulkInsert(trx, 'stop_collection', STOP_COLLECTION_COLUMNS, this.#stops)
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

/** Milliseconds since the ticket came in. */
function ageOf(shape: Shape, n: number, rng: Rng, minutes: number): number {
  if (shape.at === 'waiting') return Math.max(2, minutes - shape.dueIn(n, rng)) * MINUTE
  if (shape.at === 'claimed') return rng.int(22, Math.max(23, Math.min(150, minutes - 20))) * MINUTE
  return shape.days(n, rng) * DAY + rng.int(3 * 60, 9 * 60) * MINUTE
}
