import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

/**
 * Lines of the floor by India's numbering: 1600 for service calls of lenders, 140 for promotion.
 * Collectors have their seat's line, telemarketers one of promotion; the machine's line and a spare
 * belong to nobody, one was blocked by its vendor.
 */
const LINES = [
  {
    number: '1600110001',
    kind: 'service',
    vendor: 'voice-north',
    seat: 'C-101',
    account: 'collector',
    parallel: 1,
    cap: 250,
    status: 'enabled',
  },
  {
    number: '1600110002',
    kind: 'service',
    vendor: 'voice-north',
    seat: 'C-102',
    account: 'collection_specialist',
    parallel: 1,
    cap: 250,
    status: 'enabled',
  },
  {
    number: '1600110003',
    kind: 'service',
    vendor: 'voice-north',
    seat: 'C-103',
    account: 'team_leader',
    parallel: 1,
    cap: 150,
    status: 'enabled',
  },
  {
    number: '1600110004',
    kind: 'service',
    vendor: 'voice-south',
    seat: 'C-104',
    account: null,
    parallel: 1,
    cap: 250,
    status: 'enabled',
  },
  {
    number: '1600110005',
    kind: 'service',
    vendor: 'voice-south',
    seat: 'C-105',
    account: null,
    parallel: 1,
    cap: 250,
    status: 'blocked',
  },
  {
    number: '1409110001',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-201',
    account: 'tele_uncertified',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '1409110002',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-202',
    account: 'tele_unborrowed',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '1409110003',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-203',
    account: 'tele_unreborrowed',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '1409110004',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-204',
    account: 'tele_loanfailed',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '1409110005',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-205',
    account: 'salesman',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '1409110006',
    kind: 'promotional',
    vendor: 'voice-south',
    seat: 'T-206',
    account: 'group_leader',
    parallel: 1,
    cap: 300,
    status: 'enabled',
  },
  {
    number: '+918045550101',
    kind: 'whatsapp',
    vendor: 'wa-business',
    seat: 'W-301',
    account: 'collector',
    parallel: 20,
    cap: 1_000,
    status: 'enabled',
  },
  {
    number: '1600110090',
    kind: 'ai',
    vendor: 'voicebot',
    seat: null,
    account: null,
    parallel: 6,
    cap: 400,
    status: 'enabled',
  },
] as const

export async function seedLines(trx: Trx): Promise<void> {
  await sql`
    insert into phone_line (number, kind, vendor_code, seat_number, bound_user_id, concurrency, daily_cap,
      status)
    select x.number, x.kind, x.vendor, x.seat, u.id, x.parallel, x.cap, x.status
    from jsonb_to_recordset(${JSON.stringify(LINES)}::jsonb) as x (number text, kind text, vendor text,
      seat text, account text, parallel int, cap int, status text)
    left join sys_user u on u.account = x.account`.execute(trx)
}
