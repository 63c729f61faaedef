/**
 * Asks the vendors of an app about an applicant before the machine judges: the register of PANs and
 * the credit bureau, as far as the app has services of these kinds. An answer is kept with its
 * review and becomes a fact for the rules; when no vendor answers, the fact is missing, and rules
 * that need it send the application to people.
 */
import { type RawBuilder, sql } from 'kysely'
import { CHECK_KINDS, type CheckKind } from '#shared/vendors/vendor-kinds.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CheckAnswers, CheckVendors } from '#gateway/manage/vendors/check-vendors.ts'
import type { Answered } from '#gateway/manage/vendors/routing/vendors-of-kind.ts'
import { commandOnReview } from './machine-commands.ts'

const NAME = 'applicantCheck'
const CHUNK = 100
const AT_ONCE = 10
const MOST_TRIES = 3
const PAUSE_SECONDS = 30

interface Due {
  reviewId: string
  kind: CheckKind
  appId: string
  customerId: string
  name: string
  birthday: string | null
  pan: Buffer | null
  phone: Buffer
  tries: number
}

/** Review `r` of order `o` waits for an answer of kind `k`. */
const isAwaited = (kind: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  exists (select from tp_app_cfg s where s.app_id = o.app_id and s.kind = ${kind}
    and s.status = 'enabled')
  and not exists (select from applicant_check x where x.review_id = r.id and x.kind = ${kind}
    and x.state <> 'due')`

/** Over review `r` of order `o`: its vendors were queried, whatever they answered. */
export const IS_CHECKED: RawBuilder<boolean> = sql<boolean>`not (${sql.join(
  CHECK_KINDS.map((kind) => sql`(${isAwaited(sql.lit(kind))})`),
  sql` or `,
)})`

export function applicantCheck(vendors: CheckVendors): ScheduledClass {
  return {
    name: NAME,
    cycle: 'every:10',
    async run(context) {
      let started = 0
      while (!context.stopping.aborted) {
        const due = await findDue(context)
        for (let i = 0; i < due.length; i += AT_ONCE)
          await Promise.all(
            due.slice(i, i + AT_ONCE).map((one) => runChecks(context, vendors, one)),
          )
        started += due.length
        if (due.length < CHUNK) break
      }
      if (started > 0) context.wakeSchedule('machineReview')
      return { started }
    },
  }
}

async function findDue({ database }: AppContext): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select r.id as "reviewId", k.kind, o.app_id as "appId", c.id as "customerId", c.name,
      c.birthday::text as birthday, c.pan_enc as pan, c.phone_enc as phone,
      coalesce(x.tries, 0) as tries
    from review r
    join loan_order o on o.id = r.order_id
    join customer c on c.id = r.customer_id
    cross join unnest(${[...CHECK_KINDS]}::text[]) k (kind)
    left join applicant_check x on x.review_id = r.id and x.kind = k.kind
    where r.state = 'initial' and r.finished_at is null and ${isAwaited(sql`k.kind`)}
      and (x.review_id is null
        or x.tried_at < clock_timestamp() - make_interval(secs => ${PAUSE_SECONDS}))
    order by r.created_at, r.id, k.kind limit ${CHUNK}`.execute(database.kysely)
  return rows
}

async function runChecks(context: AppContext, vendors: CheckVendors, due: Due): Promise<void> {
  const { reviewId, kind } = due
  const answered = await runCheck(context, vendors, due).catch((error: unknown) => {
    context.log.warn({ err: error, reviewId, kind }, 'no vendor answered about an applicant')
    return null
  })
  const tries = due.tries + 1
  const state =
    answered !== null ? 'done' : tries >= MOST_TRIES || due.pan === null ? 'failed' : 'due'
  await commandOnReview(context, reviewId, async (tx) => {
    const { rows } = await sql`
      insert into applicant_check as x (review_id, kind, state, tries, answer, tp_cfg_id, vendor_code)
      values (${reviewId}, ${kind}, ${state}, ${tries},
        ${answered === null ? null : JSON.stringify(answered.answer)}::jsonb,
        ${answered?.cfgId ?? null}, ${answered?.vendorCode ?? null})
      on conflict (review_id, kind) do update set state = excluded.state, tries = excluded.tries,
        answer = excluded.answer, tp_cfg_id = excluded.tp_cfg_id, vendor_code = excluded.vendor_code,
        tried_at = clock_timestamp() where x.state = 'due'
      returning x.review_id`.execute(tx.db)
    if (rows.length === 0) return false
    // what was answered is of the applicant and stays out of the log
    tx.log({
      action: NAME,
      menu: 'review_list',
      targetKind: 'review',
      targetId: reviewId,
      after: { kind, state, vendorCode: answered?.vendorCode ?? null },
    })
    return true
  })
}

/** @throws Error when none of the vendors answers, or nothing identifies the applicant */
async function runCheck(
  { secrets }: AppContext,
  vendors: CheckVendors,
  { reviewId, kind, appId, customerId, name, birthday, pan, phone }: Due,
): Promise<Answered<CheckAnswers[CheckKind]>> {
  if (pan === null) throw new Error('the applicant stated no PAN')
  const answered = await vendors.check(kind, appId, {
    checkId: `${reviewId}-${kind}`,
    name,
    birthday,
    pan: secrets.open('customer.pan_enc', customerId, pan),
    phone: secrets.open('customer.phone_enc', customerId, phone),
  })
  if (answered === null) throw new Error('the app has no vendor any more')
  return answered
}
