/** Feedback tickets, opened by the command that opens them in life, and a manage with the tickets and the collectors' work alone. */
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
import {
  assignTicketsJob,
  decideTransferJob,
  releaseLeasesOf,
  transferJob,
} from '#gateway/manage/features/tickets/public.ts'
import { TICKETS_AUDIENCE } from '#gateway/manage/features/tickets/tickets-audience.ts'
import { ticketsRoutes } from '#gateway/manage/features/tickets/tickets-routes.ts'
import type { TicketRow } from '#gateway/manage/features/tickets/ticket-row.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { type Cx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { hashPassword } from '#gateway/manage/features/session/password.ts'
import { type TestClock, testClock } from '#tests/support/clock.ts'
import { type Floor, PASSWORD, type Person, testManage } from '#tests/support/manage.ts'
import { makeCase, type MadeCase } from './cases.ts'
import { makeOrder } from './orders.ts'

interface WithHouse {
  house: House
}

/** Runs a command as the system does. */
export async function bySystem<T>({ house }: WithHouse, run: (cx: Cx) => Promise<T>): Promise<T> {
  const outcome = await runCommand(
    house,
    { actor: systemActor('test'), audit: { action: 'test' } },
    run,
  )
  // without an idempotency key nothing is replayed
  return (outcome as { result: T }).result
}

export interface TicketGiven {
  /** 1, usage, when left out. */
  type?: TicketType
  customerId?: string
  orderId?: string
  content?: string
}

/** An unprocessed ticket; of a customer with a running loan when none is named. */
export async function makeTicket(floor: WithHouse, given: TicketGiven = {}): Promise<TicketRow> {
  const { type = 1, content = 'The app closes when I open my loan', orderId = null } = given
  const customerId = given.customerId ?? (await makeOrder(floor, { status: 30 })).customerId
  return bySystem(floor, (cx) =>
    openTicket(cx, { customerId, type, content, orderId, contactWay: 'phone', files: [] }),
  )
}

/** A ticket somebody works on. */
export async function makeClaimed(
  floor: WithHouse,
  person: Person,
  given: TicketGiven = {},
): Promise<TicketRow> {
  const { feedbackId, version } = await makeTicket(floor, given)
  return person.call(claimTicket, { feedbackId, version })
}

/** A post-loan ticket about an overdue loan (repayment, or collection when asked), with its case. */
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

/** People of a role beside the built-in accounts. @returns their accounts */
export async function addPeople(
  { house }: WithHouse,
  role: string,
  count: number,
): Promise<string[]> {
  const hash = await hashPassword(PASSWORD)
  const db = house.database.kysely
  const accounts = Array.from({ length: count }, (_, n) => `${role}x${n}`)
  for (const account of accounts) {
    await sql`insert into sys_user (account, nickname, user_name, password_hash, role_id) select ${account}, ${account}, ${account}, ${hash}, g.id from sys_role g where g.unique_mark = ${role}`.execute(
      db,
    )
  }
  return accounts
}

/** At eleven in the morning IST: inside the hours of contact whenever the test runs. */
export async function ticketsFloor(): Promise<Floor & { clock: TestClock }> {
  const floor = await testManage({
    parts: () => ({
      menus: [...SESSION_MENU, ...SETUP_MENU, ...WORK_MENU, ...TICKETS_MENU],
      audiences: [COLLECTION_AUDIENCE, TICKETS_AUDIENCE],
      jobTypes: [decideJob, resumeJob, assignTicketsJob, transferJob, decideTransferJob],
      onLogout: [releaseLeasesOf],
      routes(base, house) {
        workRoutes(base, house)
        ticketsRoutes(base, house)
      },
    }),
  })
  const clock = await testClock(floor.database)
  await clock.to('11:00')
  return { ...floor, clock }
}
