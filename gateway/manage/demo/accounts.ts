/**
 * One demo account per role, further ones with a number; one password for all.
 */
import { sql } from 'kysely'
import { ROLES } from '#shared/session/roles.ts'
import type { Trx } from '#gateway/manage/db/transaction.ts'
import { FEMALE, MALE, SURNAMES } from './lists.ts'
import { rngOf } from './random.ts'

export const DEMO_PASSWORD = 'Floor#2026'

/** Accounts per role; one by default. */
const COUNTS: Record<string, number> = {
  reviewer: 6,
  collector: 43,
  collection_specialist: 6,
  team_leader: 7,
  internal_supervisor: 2,
  external_supervisor: 2,
  customer_service: 3,
  manager: 2,
  quality_inspector: 2,
  salesman: 2,
}

export interface DemoAccount {
  account: string
  role: string
}

export function demoAccounts(): readonly DemoAccount[] {
  return ROLES.flatMap((role) =>
    Array.from({ length: COUNTS[role.mark] ?? 1 }, (_, i) => ({
      account: i === 0 ? role.mark : `${role.mark}${i + 1}`,
      role: role.name,
    })),
  )
}

export interface StaffMember {
  id: string
  name: string
}
export interface Staff {
  /** reviewer, reviewer2, … */
  reviewers: StaffMember[]
  inspectors: StaffMember[]
  managers: StaffMember[]
}

/** Accounts that are there already (a company's own administrator) stay as they are. */
export async function insertAccounts(trx: Trx, passwordHash: string): Promise<Staff> {
  const rng = rngOf('staff', 2026)
  // a demo is shown by many people who share its accounts: no telephone holds the second step
  await sql`update sys_config set value = 'false' where code = 'login.twoFactorRequired'`.execute(
    trx,
  )
  for (const role of ROLES) {
    for (let n = 1; n <= (COUNTS[role.mark] ?? 1); n += 1) {
      const account = n === 1 ? role.mark : `${role.mark}${n}`
      const first = rng.pick(rng.chance(0.5) ? MALE : FEMALE)
      const name = `${first} ${rng.pick(SURNAMES)}`
      await sql`
        insert into sys_user (account, nickname, user_name, password_hash, role_id)
        select ${account}, ${first}, ${name}, ${passwordHash}, g.id from sys_role g
          where g.unique_mark = ${role.mark}
        on conflict (lower(account)) do nothing`.execute(trx)
    }
  }
  const { rows } = await sql<StaffMember & { mark: string }>`
    select u.id, u.user_name as name, g.unique_mark as mark
    from sys_user u join sys_role g on g.id = u.role_id
    where g.unique_mark in ('reviewer', 'quality_inspector', 'manager')
      order by length(u.account), u.account`.execute(trx)
  const of = (mark: string) =>
    rows.filter((row) => row.mark === mark).map(({ id, name }) => ({ id, name }))
  return { reviewers: of('reviewer'), inspectors: of('quality_inspector'), managers: of('manager') }
}
