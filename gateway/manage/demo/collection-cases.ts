/**
 * The cases of the demo: every overdue loan and every instalment due today has one, in the stage of
 * its days, most of them with a collector who has worked on them. Whatever a case says follows from
 * its order, so that the invariants hold.
 */
import { sql } from 'kysely'
import { addDays, daysBetween, istClock, istDay, istMidnight } from '#shared/kernel/time.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { allocationSlots, slotAt } from '#gateway/manage/features/collection/public.ts'
import { parameterIn } from '#gateway/manage/kernel/parameters.ts'
import { bulkInsert, type Row } from './bulk-insert.ts'
import {
  COLLECTION_CASE_COLUMNS,
  CASE_ALLOCATION_COLUMNS,
  STOP_COLLECTION_COLUMNS,
  ALLOCATION_RUN_COLUMNS,
} from './case-columns.ts'
import { ContactBook } from './collection-contacts.ts'
import { seedCollectionHistory } from './collection-history.ts'
import type { DemoCollector, DemoFloor } from './collection-staff.ts'
import { HOUR, MINUTE, SECOND, type World } from './life.ts'
import { type Rng, rngOf } from './random.ts'
import { FIRST_NUMBER } from './tables.ts'

interface Debt {
  order_id: string
  customer_id: string
  status: number
  /** Days after the oldest open due day; of a closed order, when it closed. */
  overdue_days: number
  outstanding: number
  paid: number
  waived: number
  closed_at: string | null
}

interface Stage {
  id: string
  min: number
  max: number | null
  ptpMaxDays: number
}

const ENDS: Record<number, string> = {
  40: 'repaid',
  41: 'repaidReduced',
  80: 'extended',
  100: 'writtenOff',
  110: 'writtenOff',
}
/**
 * @param asOf instant the book is of, milliseconds;
 * @param today IST day whose opening run is done
 */
export async function seedCases(
  trx: Trx,
  floor: DemoFloor,
  { asOf, today, seed, managers }: Pick<World, 'asOf' | 'today' | 'managers'> & { seed: number },
): Promise<number> {
  const stages = (
    await sql<Stage>`
      select s.stage_id as id, s.min_days as min, s.max_days as max, s.ptp_max_days as "ptpMaxDays"
        from stage s order by s.min_days`.execute(trx)
  ).rows
  const { rows: debts } = await sql<Debt>`
    select o.id as order_id, o.customer_id, o.status,
      coalesce(${today}::date - min(p.due_at) filter (where p.outstanding > 0), greatest(o.overdue_days,
      (o.closed_at at time zone 'Asia/Kolkata')::date - min(p.due_at), 0)) as overdue_days, o.outstanding,
      coalesce(sum(p.paid_amount), 0)::bigint as paid, coalesce(sum(p.waived + p.reduced_fees),
        0)::bigint as waived, o.closed_at
    from loan_order o join repay_plan p on p.order_id = o.id
    where o.status in (50, 90) or (o.status = 43 and o.resume_status in (50, 90))
      or (o.status = 30 and exists (select 1 from repay_plan d where d.order_id = o.id
        and d.due_at = ${today}::date and d.outstanding > 0))
      or (o.status in (40, 41, 80, 100, 110)
        and o.closed_at > ${new Date(asOf - 45 * 24 * HOUR).toISOString()}::timestamptz
        and exists (select 1 from order_status_log l where l.order_id = o.id and l.to_status = 50))
    group by o.id order by o.id`.execute(trx)
  const book = new CaseBook(floor, stages, { asOf, today, seed, placedBy: managers[0]?.name ?? '' })
  for (const debt of debts) book.add(debt)
  await book.write(trx)
  await seedCollectionHistory(trx, asOf)
  return debts.length
}

interface BookTerms {
  asOf: number
  today: string
  seed: number
  /** Name of the manager who places waiting cases with departments. */
  placedBy: string
}

class CaseBook {
  readonly #floor: DemoFloor
  readonly #stages: readonly Stage[]
  readonly #at: BookTerms
  readonly #load = new Map<string, number>()
  readonly #cases: Row[] = []
  readonly #moves: Row[] = []
  readonly #contacts = new ContactBook()
  readonly #stops: Row[] = []
  readonly #given = new Map<string, number>()

  constructor(floor: DemoFloor, stages: readonly Stage[], at: BookTerms) {
    this.#floor = floor
    this.#stages = stages
    this.#at = at
  }

  add(debt: Debt): void {
    const { asOf, today, seed, placedBy } = this.#at
    const rng = rngOf(seed, 'case', debt.order_id)
    const id = `CA${FIRST_NUMBER + this.#cases.length}`
    const isClosed = debt.closed_at !== null
    const endedAt = debt.closed_at === null ? null : Date.parse(debt.closed_at)
    const lastDay = endedAt === null ? today : istDay(endedAt)
    const days = Math.max(0, debt.overdue_days)
    const stage = this.#stages.find(
      ({ min, max }) => days >= min && (max === null || days <= max),
    ) as Stage
    const openedAt = istMidnight(addDays(lastDay, -days)).getTime() + 5 * MINUTE
    const givenDay = addDays(lastDay, -(days - stage.min))
    const givenAt = istMidnight(givenDay).getTime() + 7.5 * HOUR + rng.int(5, 900) * SECOND
    const waits =
      givenAt > asOf - 20 * MINUTE || (!isClosed && rng.chance(stage.min <= 1 ? 0.3 : 0.05))
    const holder = waits ? null : this.#holderFor(stage.id, rng, isClosed)
    const until = endedAt ?? asOf
    const { order_id: orderId, customer_id: customerId } = debt
    const worked =
      holder === null
        ? []
        : this.#contacts.add(
            { caseId: id, orderId, customerId, stageId: stage.id, holder },
            givenAt,
            until,
            rng,
          )
    const last = worked.at(-1) ?? null
    const isHeld = !isClosed && holder !== null && rng.chance(0.06)
    const promise =
      isClosed || isHeld || last === null || holder === null || last.willingness !== 1
        ? null
        : this.#promiseOf(debt, stage, last.at, rng)
    const state = isClosed
      ? 'closed'
      : isHeld
        ? 'held'
        : holder === null
          ? 'unallocated'
          : promise === null
            ? 'allocated'
            : 'promised'
    const broken = stage.min >= 4 && rng.chance(0.15) ? 1 : 0
    const stop = isHeld ? this.#stop(debt, rng) : null
    // who waits came to the pool since the last slot: by a recall, or a new stage
    const cameAt = holder === null ? Math.max(openedAt, asOf - rng.int(2, 40) * MINUTE) : givenAt
    const placed =
      state === 'unallocated'
        ? this.#departmentFor(stage.id, rngOf(seed, 'placed', debt.order_id))
        : null
    const place = holder ?? placed
    this.#cases.push({
      id,
      order_id: debt.order_id,
      customer_id: debt.customer_id,
      stage_id: stage.id,
      state,
      overdue_days: days,
      amount_due: debt.outstanding + debt.paid + (isClosed ? debt.waived : 0),
      paid_amount: debt.paid,
      outstanding: debt.outstanding,
      agency_id: place?.agencyId ?? null,
      department_id: place?.departmentId ?? null,
      group_id: holder?.groupId ?? null,
      collector_id: holder?.id ?? null,
      allocated_at: holder === null ? null : givenAt,
      follow_count: worked.length,
      last_contact_result: last?.result ?? null,
      last_willingness: last?.willingness ?? null,
      last_follow_at: last?.at ?? null,
      next_follow_at: isClosed ? null : (last?.next ?? null),
      commitment_at: promise?.at ?? null,
      ptp_at: promise?.at ?? null,
      ptp_amount: promise?.amount ?? null,
      ptp_made_at: promise === null ? null : (last?.at ?? null),
      ptp_state: promise !== null ? 'open' : broken > 0 && holder !== null ? 'broken' : null,
      broken_count: holder === null ? 0 : broken,
      token: holder === null ? 0 : 1,
      intimated_at:
        holder === null || holder.inHouse
          ? null
          : worked.length > 0 || rng.chance(0.8)
            ? givenAt + rng.int(1, 6) * MINUTE
            : null,
      hold_reason: stop?.reason ?? null,
      hold_until: stop?.until ?? null,
      end_reason: isClosed ? (ENDS[debt.status] ?? 'other') : null,
      ended_at: endedAt,
      recovered: 0,
      created_at: openedAt,
      waiting_since: state === 'unallocated' ? cameAt : null,
      updated_at: last?.at ?? (holder === null ? cameAt : givenAt),
      version: 1 + worked.length + (place === null ? 0 : 1),
    })
    this.#moves.push({
      case_id: id,
      cause: 'enter',
      to_stage: stage.id,
      by_name: 'openDay',
      at: openedAt,
    })
    if (placed !== null)
      this.#moves.push({
        case_id: id,
        cause: 'manual',
        to_agency_id: placed.agencyId,
        to_department_id: placed.departmentId,
        from_stage: stage.id,
        to_stage: stage.id,
        by_name: placedBy,
        at: cameAt + MINUTE,
      })
    if (holder !== null) {
      this.#given.set(givenDay, (this.#given.get(givenDay) ?? 0) + 1)
      this.#moves.push({
        case_id: id,
        cause: 'auto',
        to_user_id: holder.id,
        to_agency_id: holder.agencyId,
        to_department_id: holder.departmentId,
        to_group_id: holder.groupId,
        from_stage: stage.id,
        to_stage: stage.id,
        by_name: 'autoAllocate',
        run_id: null,
        at: givenAt,
        day: givenDay,
      })
    }
  }

  /**
   * Some of what waits a manager has placed with a department of the house that serves the stage:
   * its supervisor gives it out.
   */
  #departmentFor(stageId: string, rng: Rng): DemoCollector | null {
    return rng.chance(0.3)
      ? (this.#floor.collectors.find(
          (person) => person.inHouse && person.stages.includes(stageId),
        ) ?? null)
      : null
  }

  /** By weight of the agencies that serve the stage, inside by the smallest load. */
  #holderFor(stageId: string, rng: Rng, isClosed: boolean): DemoCollector | null {
    const serving = this.#floor.agencies
      .map((agency) => ({
        agency,
        people: this.#floor.collectors.filter(
          (person) => person.agencyId === agency.id && person.stages.includes(stageId),
        ),
      }))
      .filter(({ people }) => people.length > 0)
    if (serving.length === 0) return null
    const { people } = serving[
      rng.weighted(serving.map(({ agency }) => agency.weight))
    ] as (typeof serving)[number]
    const loadOf = (person: DemoCollector) => this.#load.get(person.id) ?? 0
    const chosen = people.reduce((least, person) =>
      loadOf(person) < loadOf(least) ? person : least,
    )
    if (isClosed) return rng.pick(people)
    if (loadOf(chosen) >= chosen.capacity) return null
    this.#load.set(chosen.id, loadOf(chosen) + 1)
    return chosen
  }

  /** An open promise is not due before today is over. */
  #promiseOf(
    debt: Debt,
    stage: Stage,
    madeAt: number,
    rng: Rng,
  ): { at: number; amount: number } | null {
    const made = istDay(madeAt)
    const first = Math.max(0, daysBetween(made, this.#at.today))
    if (first > stage.ptpMaxDays || debt.outstanding === 0) return null
    const day = addDays(made, rng.int(first, stage.ptpMaxDays))
    const at = istMidnight(day).getTime() + 18 * HOUR
    const amount = rng.chance(0.7)
      ? debt.outstanding
      : Math.max(100, Math.floor((debt.outstanding * 0.5) / 10_000) * 10_000)
    return { at, amount: Math.min(amount, debt.outstanding) }
  }

  #stop(debt: Debt, rng: Rng): { reason: string; until: string | null } {
    const reason = rng.pick(['dispute', 'bereavement', 'hardship', 'legal', 'familyEvent'])
    const until = reason === 'legal' ? null : addDays(this.#at.today, rng.int(2, 25))
    const startAt = this.#at.asOf - rng.int(3, 90) * HOUR
    this.#stops.push({
      id: `SC${10_001 + this.#stops.length}`,
      customer_id: debt.customer_id,
      reason,
      start_at: startAt,
      end_at: until,
      state: 'active',
      applied_by_name: '',
      applied_at: startAt,
      decided_at: startAt,
      remark: 'Told by the customer on the phone',
    })
    return { reason, until }
  }

  async write(trx: Trx): Promise<void> {
    const runs = [...this.#given.keys()].toSorted().slice(-5)
    const runOf = new Map(runs.map((day, at) => [day, `AR${10_001 + at}`]))
    const slot = await this.#slotNow(trx)
    await bulkInsert(trx, 'collection_case', COLLECTION_CASE_COLUMNS, this.#cases)
    await bulkInsert(
      trx,
      'case_allocation',
      CASE_ALLOCATION_COLUMNS,
      this.#moves.map(({ day, ...move }) => ({ ...move, run_id: runOf.get(String(day)) ?? null })),
    )
    await this.#contacts.write(trx)
    await bulkInsert(trx, 'stop_collection', STOP_COLLECTION_COLUMNS, this.#stops)
    await bulkInsert(
      trx,
      'allocation_run',
      ALLOCATION_RUN_COLUMNS,
      runs.map((day) => {
        const startedAt = istMidnight(day).getTime() + 7.5 * HOUR
        const count = this.#given.get(day) ?? 0
        return {
          id: runOf.get(day),
          stage_ids: this.#stages.map((stage) => stage.id),
          scope: 'unallocated',
          mode: 'average',
          seed: this.#at.seed,
          slot: day === this.#at.today ? slot : null,
          total: count,
          done: count,
          state: 'done',
          started_by_name: 'autoAllocate',
          started_at: startedAt,
          finished_at: startedAt + 2 * SECOND,
        }
      }),
    )
    await sql`
      update collector k set open_cases = n.cases
        from (select c.collector_id, count(*)::int as cases from collection_case c
        where c.state in ('allocated', 'promised') group by c.collector_id) n
        where n.collector_id = k.user_id`.execute(trx)
    const next = {
      case_id_seq: FIRST_NUMBER + this.#cases.length,
      stop_id_seq: 10_001 + this.#stops.length,
      allocation_run_id_seq: 10_001 + runs.length,
    }
    for (const [sequence, value] of Object.entries(next))
      await sql`select setval(${sequence}, ${value}, false)`.execute(trx)
  }
  /**
   * The slot the demo begins in counts as done, so that a leader finds the day's entrants in the
   * pool; the next one gives them out.
   */
  async #slotNow(trx: Trx): Promise<string | null> {
    const slots = allocationSlots(
      await parameterIn(trx, 'collection.allocationTimes'),
      Number(await parameterIn(trx, 'collection.topUpMinutes')),
      await parameterIn(trx, 'collection.topUpUntil'),
    )
    const at = slotAt(slots, istClock(this.#at.asOf))
    return at === null ? null : `${this.#at.today} ${at}`
  }
}
