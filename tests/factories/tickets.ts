/**
 * Feedback tickets, opened by the real command, and manage with the ticket and collection features
 * only.
 */
import { sql } from 'kysely'
import { SETUP_MENU } from '#shared/collection/setup-menu.ts'
import { WORK_MENU } from '#shared/collection/work-menu.ts'
import { SESSION_MENU } from '#shared/session/session-menu.ts'
import type { TicketType } from '#shared/tickets/ticket-sets.ts'
import { claimTicket } from '#shared/tickets/tickets-api.ts'
import { TICKETS_MENU } from '#shared/tickets/tickets-menu.ts'
import { COLLECTION_AUDIENCE } from '#gateway/manage/features/collection/collection-audience.ts'
import { decideJob, resumeJob } from '#gateway/manage/features/collection/stops/stop-collection.ts'
import { workRoutes } from '#gateway/manage/features/collection/work-routes.ts'
import { openTicket } from '#gateway/manage/features/tickets/desk/open-ticket.ts'
import { assignJob as assignTicketsJob } from '#gateway/manage/features/tickets/desk/assign-tickets.ts'
import { decideTransferJob } from '#gateway/manage/features/tickets/handovers/decide-transfers.ts'
import { releaseLeasesOf } from '#gateway/manage/features/tickets/desk/return-ticket.ts'
import { transferJob } from '#gateway/manage/features/tickets/handovers/transfer-tickets.ts'
import { TICKETS_AUDIENCE } from '#gateway/manage/features/tickets/tickets-audience.ts'
import { ticketsRoutes } from '#gateway/manage/features/tickets/tickets-routes.ts'
import type { TicketRow } from '#gateway/manage/features/tickets/ticket-row.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, PASSWORD, type Person, testManage } from '#tests/support/manage.ts'
import { makeCase, type MadeCase } from './cases.ts'
import { makeOrder } from './orders.ts'

interface WithHouse {
  context: AppContext
}

/** Runs a command as the system. */
export async function bySystem<T>(
  { context }: WithHouse,
  run: (tx: CommandTx) => Promise<T>,
): Promise<T> {
  const outcome = await runCommand(
    context,
    { actor: systemActor('test'), audit: { action: 'test' } },
    run,
  )
  // Without an idempotency key nothing is replayed.
  return (outcome as { result: T }).result
}

export interface TicketGiven {
  /** Default 1, usage. */
  type?: TicketType
  customerId?: string
  orderId?: string
  content?: string
}

/** An unprocessed ticket; by default of a customer with a running loan. */
export async function makeTicket(floor: WithHouse, given: TicketGiven = {}): Promise<TicketRow> {
  const { type = 1, content = 'The app closes when I open my loan', orderId = null } = given
  const customerId = given.customerId ?? (await makeOrder(floor, { status: 30 })).customerId
  return bySystem(floor, (tx) =>
    openTicket(tx, { customerId, type, content, orderId, contactWay: 'phone', files: [] }),
  )
}

/** A ticket in progress. */
export async function makeClaimed(
  floor: WithHouse,
  person: Person,
  given: TicketGiven = {},
): Promise<TicketRow> {
  const { feedbackId, version } = await makeTicket(floor, given)
  return person.call(claimTicket, { feedbackId, version })
}

/**
 * A post-loan ticket about an overdue loan (repayment, or collection on request), with its case.
 */
export async function makeLoanedTicket(
  floor: WithHouse & Parameters<typeof makeCase>[0],
  given: { collectorId?: string; type?: 3 | 4 } = {},
): Promise<{ ticket: TicketRow; made: MadeCase }> {
  const made = await makeCase(floor, {
    overdueDays: 5,
    ...(given.collectorId === undefined ? {} : { collectorId: given.collectorId }),
  })
  return {
    made,
    ticket: await makeTicket(floor, {
      type: given.type ?? 3,
      customerId: made.customerId,
      orderId: made.orderId,
      content: 'I have paid and it is not booked',
    }),
  }
}

/** Users of a role beside the built-in accounts. @returns their accounts */
export async function addPeople(
  { context }: WithHouse,
  role: string,
  count: number,
): Promise<string[]> {
  const hash = await hashPassword(PASSWORD)
  const db = context.database.kysely
  const accounts = Array.from({ length: count }, (_, n) => `${role}x${n}`)
  for (const account of accounts) {
    await sql`
      insert into sys_user (account, nickname, user_name, password_hash, role_id)
        select ${account}, ${account}, ${account}, ${hash}, g.id from sys_role g
        where g.unique_mark = ${role}`.execute(db)
  }
  return accounts
}

/** At 11:00 IST, which is within contact hours. */
export async function ticketsFloor(): Promise<Floor & { clock: TestClock }> {
  const floor = await testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU, ...TICKETS_MENU],
      audiences: [COLLECTION_AUDIENCE, TICKETS_AUDIENCE],
      jobTypes: [decideJob, resumeJob, assignTicketsJob, transferJob, decideTransferJob],
      onLogout: [releaseLeasesOf],
      routes(base, context) {
        workRoutes(base, context)
        ticketsRoutes(base, context)
      },
    }),
  })
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  return { ...floor, clock }
}
