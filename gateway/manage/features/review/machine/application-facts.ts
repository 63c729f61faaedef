/**
 * Facts of an application for the rules: numbers and booleans only, no names or document numbers.
 */
import { type RawBuilder, sql } from 'kysely'
import type { CheckKind } from '#shared/vendors/vendor-kinds.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CheckAnswers } from '#gateway/manage/vendors/check-vendors.ts'

/** Money in paise, shares in per cent. */
export interface ApplicationFacts {
  age: number
  monthlyIncome: number
  /** One instalment as a share of the monthly income; null without income. */
  incomeShare: number | null
  amount: number
  productMinimum: number
  productMaximum: number
  customerClass: string
  /** Number of the borrower's loans, including this one. */
  orderNo: number
  /** Days since the person's latest refusal; null without one. */
  daysSinceRefusal: number | null
  /** Over earlier loans. */
  worstOverdueDays: number
  writtenOff: number
  /**
   * Other customers with the same PAN or Aadhaar or bank account; contacts that are blacklisted
   * customers.
   */
  identityElsewhere: number
  accountElsewhere: number
  blacklistedContacts: number
  panNameSame: boolean
  cardBound: boolean
  /** Null = not compared. */
  nameSimilarity: number | null
  faceScore: number | null
  /**
   * Answers of the app's vendors, null without one; missing when none of them answered. A score is
   * null for a person the bureau does not know, too.
   */
  panValid?: boolean | null
  panNameMatch?: number | null
  bureauScore?: number | null
  bureauOpenLoans?: number | null
  bureauOverdue?: number | null
}

export interface JudgedApplication {
  orderId: string
  /** Versions at which the facts were read: an application changed since then is judged again. */
  reviewVersion: number
  orderVersion: number
  facts: ApplicationFacts
}

interface Row extends ApplicationFacts {
  checks: { kind: CheckKind; state: string; answer: CheckAnswers[CheckKind] | null }[]
  orderId: string
  reviewVersion: number
  orderVersion: number
  customerId: string
}

/** Null when the review no longer waits for the machine. */
export function readApplication(
  context: AppContext,
  reviewId: string,
): Promise<JudgedApplication | null> {
  return readFacts(
    context,
    sql`r.id = ${reviewId} and r.state = 'initial' and r.finished_at is null`,
  )
}

/** Of the latest review there is. */
export async function readFacts(
  context: AppContext,
  which: RawBuilder<unknown>,
): Promise<JudgedApplication | null> {
  const { rows } = await sql<Row>`
    select o.id as "orderId", r.version as "reviewVersion", o.version as "orderVersion", c.id as "customerId",
      extract(year from age((clock_timestamp() at time zone 'Asia/Kolkata')::date, c.birthday))::int as age,
        coalesce(c.monthly_income, 0) as "monthlyIncome",
      round(o.contract_amount * 100.0 / o.term / nullif(c.monthly_income, 0))::int as "incomeShare",
      o.amount, coalesce((o.product_snapshot ->> 'minAmount')::bigint, p.min_amount) as "productMinimum",
        coalesce((o.product_snapshot ->> 'maxAmount')::bigint, p.max_amount) as "productMaximum",
        r.customer_class as "customerClass",
      before.loans + 1 as "orderNo", before.refused_days as "daysSinceRefusal",
        before.worst as "worstOverdueDays", before.written_off as "writtenOff",
      (select count(*)::int from customer n where n.id <> c.id
        and (n.pan_h = c.pan_h or n.aadhaar_h = c.aadhaar_h)) as "identityElsewhere",
      (select count(distinct n.customer_id)::int from bank_card n where n.account_h = b.account_h
        and n.customer_id <> c.id) as "accountElsewhere", 0 as "blacklistedContacts",
      lower(coalesce(c.pan_name, '')) = lower(c.name) as "panNameSame", coalesce(b.bind_state = 'bound',
        false) as "cardBound", b.name_similarity / 100 as "nameSimilarity", k.face_pan / 100 as "faceScore",
      coalesce((select json_agg(json_build_object('kind', x.kind, 'state', x.state, 'answer', x.answer))
        from applicant_check x where x.review_id = r.id), '[]') as checks
    from review r
    join loan_order o on o.id = r.order_id
    join product p on p.id = o.product_id
    join customer c on c.id = r.customer_id
    left join bank_card b on b.customer_id = c.id and b.active
    left join customer_kyc k on k.customer_id = c.id
    cross join lateral (
      select count(*) filter (where n.disbursed_at is not null
        and n.from_order_id is null)::int as loans, coalesce(max(n.overdue_days), 0) as worst,
        count(*) filter (where n.status in (90, 100, 110))::int as written_off,
        min(((clock_timestamp() at time zone 'Asia/Kolkata')::date - (n.updated_at at time zone
          'Asia/Kolkata')::date)) filter (where n.status in (21, 27)) as refused_days
      from loan_order n where n.customer_id = c.id and n.id <> o.id
    ) before
    where ${which} order by r.created_at desc, r.id desc limit 1`.execute(context.database.kysely)
  const row = rows[0]
  if (!row) return null
  const { orderId, reviewVersion, orderVersion, customerId, checks, ...facts } = row
  return {
    orderId,
    reviewVersion,
    orderVersion,
    facts: {
      ...facts,
      blacklistedContacts: await countBlacklisted(context, customerId),
      ...checkFacts(checks),
    },
  }
}

function checkFacts(checks: Row['checks']): Partial<ApplicationFacts> {
  const of = <Kind extends CheckKind>(kind: Kind): CheckAnswers[Kind] | null | undefined => {
    const check = checks.find((one) => one.kind === kind)
    return check === undefined
      ? null
      : check.state === 'done'
        ? (check.answer as CheckAnswers[Kind])
        : undefined
  }
  const [identity, bureau] = [of('kyc'), of('bureau')]
  return {
    ...(identity !== undefined && {
      panValid: identity?.panValid ?? null,
      panNameMatch: identity?.nameMatch ?? null,
    }),
    ...(bureau !== undefined && {
      bureauScore: bureau?.score ?? null,
      bureauOpenLoans: bureau?.openLoans ?? null,
      bureauOverdue: bureau?.overdueAmount ?? null,
    }),
  }
}

/**
 * Contact numbers are encrypted without a search hash, so they are decrypted here; only a count
 * leaves.
 */
async function countBlacklisted(
  { database, secrets }: AppContext,
  customerId: string,
): Promise<number> {
  const { rows } = await sql<{
    id: string
    phone_enc: Buffer
  }>`select k.id, k.phone_enc from customer_contact k where k.customer_id = ${customerId}`.execute(
    database.kysely,
  )
  if (rows.length === 0) return 0
  const phones = rows.map((row) =>
    secrets.blindIndex('phone', secrets.open('customer_contact.phone_enc', row.id, row.phone_enc)),
  )
  const found = await sql<{
    count: number
  }>`
    select count(*)::int as count
    from customer c
    where c.phone_h = any(${phones}::bytea[]) and c.blacklisted and c.id <> ${customerId}`.execute(
    database.kysely,
  )
  return found.rows[0]?.count ?? 0
}
