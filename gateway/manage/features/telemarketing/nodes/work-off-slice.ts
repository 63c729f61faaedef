/**
 * Contacts the customers of one slice of a run: tasks are given out evenly, coupons granted, messages
 * become due. Whatever the size of the slice, each table is written by one statement.
 */
import { sql } from 'kysely'
import { distribute, type Taker } from '#shared/telemarketing/distribute.ts'
import { EFFECT_DAYS } from '#shared/telemarketing/node-sets.ts'
import { taskLifecycle } from '#shared/telemarketing/task-lifecycle.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import { type CouponOutcome, giveCoupons } from '#gateway/manage/features/coupons/public.ts'
import { lockTakers } from '../persons/takers.ts'
import { emitRun, readRun, type Run, RUN_SLICE } from './run-store.ts'

interface Customer {
  taskId: string
  customerId: string
  heldOut: boolean
  /** The task is still what it was when the run began. */
  isSame: boolean
}

interface Contact extends Customer {
  outcome: 'changed' | 'heldOut' | 'messaged' | 'pool' | 'assigned'
  userId: string | null
  coupon: CouponOutcome | null
}

export async function workOffSlice(tx: CommandTx, runId: string, slice: number): Promise<void> {
  const run = await readRun(tx.db, runId)
  const customers = await lockCustomers(tx, run, slice)
  const contacted = customers.filter(({ isSame, heldOut }) => isSame && !heldOut)
  const turns = run.givesTasks ? await takeTurns(tx, run, contacted.length) : []
  const userOf = new Map(contacted.map(({ taskId }, n) => [taskId, turns[n] ?? null]))
  const coupons = await grantCoupons(tx, run, contacted)
  const contacts = customers.map((customer): Contact => {
    const userId = userOf.get(customer.taskId) ?? null
    const coupon = coupons.get(customer.customerId) ?? null
    return { ...customer, outcome: outcomeOf(run, customer, userId), userId, coupon }
  })
  await storeContacts(tx, run, contacts)
  await writeTasks(tx, run, contacts)
  notifyTakers(tx, run, turns)
  const given = contacts.filter(({ coupon }) => coupon === 'given').length
  await sql`
    update marketing_run set assigned = assigned + ${turns.length}, coupons = coupons + ${given},
      messages = messages + ${run.messageWay === null ? 0 : contacted.length}, version = version + 1
    where id = ${runId}`.execute(tx.db)
  tx.log({
    action: 'contact',
    targetKind: 'marketingNode',
    targetId: run.nodeId,
    after: {
      runId,
      slice,
      contacted: contacted.length,
      heldOut: contacts.filter(({ outcome }) => outcome === 'heldOut').length,
      assigned: turns.length,
      coupons: given,
    },
  })
  emitRun(tx, await readRun(tx.db, runId))
}

function outcomeOf(run: Run, customer: Customer, userId: string | null): Contact['outcome'] {
  if (!customer.isSame) return 'changed'
  if (customer.heldOut) return 'heldOut'
  if (!run.givesTasks) return 'messaged'
  return userId === null ? 'pool' : 'assigned'
}

/**
 * Those of the slice who were not contacted yet. Tasks are locked in the order of their ids, as
 * every command that locks several does.
 */
async function lockCustomers(tx: CommandTx, run: Run, slice: number): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    select t.id as "taskId", t.customer_id as "customerId", x.place <= ${run.heldOut}::int as "heldOut",
      t.closed_at is null and t.segment = ${run.segment}
        and (${!run.givesTasks}::boolean or t.state = 'waiting') as "isSame"
    from (
      select u.task_id, ${slice * RUN_SLICE}::int + u.n as place from marketing_slice s
      cross join lateral unnest(s.task_ids) with ordinality as u (task_id, n)
      where s.run_id = ${run.runId} and s.slice = ${slice}::int
    ) x join tele_task t on t.id = x.task_id
    where not exists (select 1 from marketing_contact m
      where m.run_id = ${run.runId} and m.customer_id = t.customer_id)
    order by t.id for update of t`.execute(tx.db)
  return rows
}

/** Who is given the tasks, one after the other; fewer than asked for when nobody has room. */
async function takeTurns(tx: CommandTx, run: Run, count: number): Promise<readonly string[]> {
  const takers = await lockTakers(tx, run.segment)
  const { turns } = distribute(count, takers)
  checkTurns(turns, takers)
  return turns
}

async function grantCoupons(
  tx: CommandTx,
  { couponId, nodeId }: Run,
  contacted: readonly Customer[],
): Promise<ReadonlyMap<string, CouponOutcome>> {
  if (couponId === null || contacted.length === 0) return new Map()
  const customerIds = contacted.map(({ customerId }) => customerId)
  return giveCoupons(tx, { couponId, customerIds, source: 'node', sourceId: nodeId })
}

async function storeContacts(tx: CommandTx, run: Run, contacts: readonly Contact[]): Promise<void> {
  await sql`
    insert into marketing_contact (run_id, node_id, customer_id, task_id, segment, held_out, once,
      outcome, at, assignee_id, coupon, message_state, message_way, message_at)
    select ${run.runId}, ${run.nodeId}, g.customer_id, g.task_id, ${run.segment}, g.held_out, ${run.once},
      g.outcome, clock_timestamp(), g.user_id, g.coupon, g.message_state,
      case when g.message_state is not null then ${run.messageWay}::text end,
      case when g.message_state is not null then clock_timestamp() end
    from unnest(${contacts.map(({ customerId }) => customerId)}::text[],
      ${contacts.map(({ taskId }) => taskId)}::text[],
      ${contacts.map(({ heldOut }) => heldOut)}::boolean[],
      ${contacts.map(({ outcome }) => outcome)}::text[],
      ${contacts.map(({ userId }) => userId)}::text[],
      ${contacts.map(({ coupon }) => coupon)}::text[],
      ${contacts.map(({ isSame, heldOut }) =>
        isSame && !heldOut && run.messageWay !== null ? 'due' : null,
      )}::text[]
    ) as g (customer_id, task_id, held_out, outcome, user_id, coupon, message_state)`.execute(tx.db)
}

/** The tasks are locked, and the lifecycle was asked for the last one of each person. */
async function writeTasks(tx: CommandTx, run: Run, contacts: readonly Contact[]): Promise<void> {
  const of = (outcome: Contact['outcome']) =>
    contacts.filter((contact) => contact.outcome === outcome)
  const idsOf = (some: readonly Contact[]) => some.map(({ taskId }) => taskId)
  const [assigned, pool, heldOut] = [of('assigned'), of('pool'), of('heldOut')]
  if (assigned.length > 0)
    await sql`
      update tele_task t set state = 'assigned', assignee_id = u.id, assignee_name = u.user_name,
        token = t.token + 1, claimed_at = clock_timestamp(), node_id = ${run.nodeId},
        version = t.version + 1, updated_at = clock_timestamp()
      from unnest(${idsOf(assigned)}::text[], ${assigned.map(({ userId }) => userId)}::text[])
        as g (task_id, user_id) join sys_user u on u.id = g.user_id
      where t.id = g.task_id`.execute(tx.db)
  if (pool.length > 0)
    await sql`
      update tele_task set node_id = ${run.nodeId}, version = version + 1, updated_at = clock_timestamp()
      where id = any(${idsOf(pool)}::text[])`.execute(tx.db)
  if (heldOut.length > 0)
    await sql`
      update tele_task set held_until = clock_timestamp() + make_interval(days => ${EFFECT_DAYS}),
        node_id = ${run.nodeId}, version = version + 1, updated_at = clock_timestamp()
      where id = any(${idsOf(heldOut)}::text[])`.execute(tx.db)
}

/** The lifecycle is asked for the last task each person is given: the others have more room. */
function checkTurns(turns: readonly string[], takers: readonly Taker[]): void {
  for (const { userId, open, capacity, takesTasks } of takers) {
    const got = turns.filter((id) => id === userId).length
    if (got === 0) continue
    const openTasks = open + got - 1
    taskLifecycle.next('waiting', { type: 'ASSIGN', openTasks, capacity, takesTasks })
  }
}

function notifyTakers(tx: CommandTx, run: Run, turns: readonly string[]): void {
  for (const userId of new Set(turns))
    tx.notify({
      userId,
      kind: 'assigned',
      titleKey: 'telemarketing:notification.given',
      params: { n: turns.filter((id) => id === userId).length, name: run.nodeName },
      route: `/customer_management/marketing_center/${run.segment}`,
    })
}
