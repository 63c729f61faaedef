import { sql } from 'kysely'
import type { Trx } from '#gateway/manage/db/transaction.ts'

const HOUR = 3_600_000

/**
 * The announcements of a floor: rules for everybody, news for those who call (shown to them once a day), a
 * draft nobody sees yet.
 */
const ANNOUNCEMENTS = [
  {
    title: 'Calling hours: 08:00 to 19:00 IST',
    content:
      'Borrowers may be contacted between 08:00 and 19:00 IST, also by WhatsApp. Outside ' +
      'these hours the console refuses the call. Ask your leader before you plan a visit.',
    status: 'published',
    pop: 'none',
    roles: [],
    hours: 70,
  },
  {
    title: 'Write the promise while you are on the call',
    content:
      'A promise to pay needs its day and its amount. Repeat both to the borrower before ' +
      'you hang up, and send the payment link from the case.',
    status: 'published',
    pop: 'oncePerDay',
    roles: ['collector', 'collection_specialist'],
    hours: 26,
  },
  {
    title: 'Payout bank closed on the second Saturday',
    content:
      'NEFT and IMPS of the payout bank rest from 00:30 to 02:30 IST. Payouts that fail in ' +
      'this time go to re-disbursement and are sent again in the morning.',
    status: 'published',
    pop: 'none',
    roles: ['manager', 'director', 'reviewer'],
    hours: 20,
  },
  {
    title: 'New proof rules from next month',
    content: 'Proofs without a UTR will be returned. Please tell customers what to send.',
    status: 'draft',
    pop: 'none',
    roles: [],
    hours: 3,
  },
] as const

export async function seedAnnouncements(trx: Trx, asOf: number): Promise<void> {
  const rows = ANNOUNCEMENTS.map((announcement) => ({
    ...announcement,
    at: new Date(asOf - announcement.hours * HOUR).toISOString(),
  }))
  await sql`
    insert into notice (title, content, status, pop_condition, roles, published_at, updated_by, created_at,
      updated_at)
    select x.title, x.content, x.status, x.pop, x.roles, case
      when x.status = 'published' then x.at end, u.id, x.at, x.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (title text, content text, status text,
      pop text, roles text[], at timestamptz)
    join sys_user u on u.account = 'manager'`.execute(trx)
  // most of those they are for have seen them
  await sql`
    with shown as (
      insert into notice_read (notice_id, user_id, shown_at)
      select n.id, u.id, n.published_at + make_interval(mins => 5 + abs(hashtext(n.id || u.id)) % 300)
      from notice n cross join sys_user u join sys_role g on g.id = u.role_id
      where n.status = 'published' and (n.roles = '{}' or g.unique_mark = any(n.roles))
        and abs(hashtext(u.id || n.id)) % 5 > 0
      returning notice_id
    )
    update notice n set exposure_count = x.shown
    from (select s.notice_id, count(*) as shown from shown s group by s.notice_id) x
    where x.notice_id = n.id`.execute(trx)
}
