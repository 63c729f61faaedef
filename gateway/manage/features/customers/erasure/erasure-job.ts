/**
 * Erases personal data after its term, each night: customers are marked, notified 48 hours before
 * (DPDP Rules 2025, rule 8), looked at again, and erased one by one, each with an entry in the
 * operate log. A customer who comes back meanwhile is kept.
 */
import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { type CommandTx, runCommand } from '#gateway/manage/kernel/command.ts'
import type { PersonalData } from '#gateway/manage/kernel/personal-data.ts'
import { emitCustomer } from '../emit-customer.ts'
import { isStillDue, noteDue } from './erasure-due.ts'

const NAME = 'erasure'
const MENU = 'customer_list'
const CHUNK = 200
const LAW = 'DPDP Act 2023 s. 8 (7); PML (Maintenance of Records) Rules 2005 r. 10'

export function erasureClass(data: readonly PersonalData[]): ScheduledClass {
  return {
    name: NAME,
    cycle: '15 3 * * *',
    async run(context) {
      const marked = await noteDue(context, data)
      let erased = 0
      let after = ''
      while (!context.stopping.aborted) {
        const ids = await findNotified(context, after)
        for (const id of ids) if (await eraseCustomer(context, id, data)) erased += 1
        if (ids.length < CHUNK) break
        after = ids.at(-1) ?? after
      }
      return { marked, erased }
    },
  }
}

async function findNotified({ database }: AppContext, after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.customer_id as id from customer_erasure e
    where e.state = 'told' and e.erase_after <= clock_timestamp() and e.customer_id > ${after}
    order by e.customer_id limit ${CHUNK}`.execute(database.kysely)
  return rows.map(({ id }) => id)
}

/** @returns false when the customer stays */
async function eraseCustomer(
  context: AppContext,
  customerId: string,
  data: readonly PersonalData[],
): Promise<boolean> {
  const { result } = await runCommand(
    context,
    { actor: systemActor(NAME), audit: { menu: MENU, action: NAME } },
    (tx) => erase(tx, customerId, data),
  )
  return result
}

async function erase(
  tx: CommandTx,
  customerId: string,
  data: readonly PersonalData[],
): Promise<boolean> {
  // an application that is being submitted holds the row
  await sql`select from customer c where c.id = ${customerId} for update`.execute(tx.db)
  if (!(await isStillDue(tx.db, customerId, data))) {
    await sql`delete from customer_erasure where customer_id = ${customerId}`.execute(tx.db)
    tx.log({ menu: MENU, action: 'erasureEnded', targetKind: 'customer', targetId: customerId })
    return false
  }
  const rows: Record<string, number> = {}
  for (const one of data) Object.assign(rows, await one.erase(tx, customerId))
  const { rows: done } = await sql<{ term_days: number; since: string; version: number }>`
    with ended as (
      update customer_erasure set state = 'done', erased_at = clock_timestamp()
      where customer_id = ${customerId} returning term_days, since
    )
    select e.term_days, e.since, c.version
    from ended e join customer c on c.id = ${customerId}`.execute(tx.db)
  const { term_days: days, since, version } = done[0] as (typeof done)[number]
  tx.log({
    menu: MENU,
    action: NAME,
    targetKind: 'customer',
    targetId: customerId,
    after: { days, since, law: LAW, rows },
  })
  emitCustomer(tx, customerId, version, ['erased'])
  return true
}
