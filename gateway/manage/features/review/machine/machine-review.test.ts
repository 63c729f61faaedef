import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboundApplication, inboundMachineReview } from '#shared/orders/inbound-api.ts'
import { currentRuleSet } from '#gateway/manage/features/rules/public.ts'
import { reviewRoutes } from '#gateway/manage/features/review/review-routes.ts'
import { makeApplication } from '#tests/factories/applications.ts'
import { makeBorrower, makeOrder, makeProduct } from '#tests/factories/orders.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { type Machine, machineOf } from '#tests/support/machine.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { brokenInvariants } from '#gateway/manage/db/check-invariants.ts'
import type {
  Applicant,
  CheckAnswers,
  CheckVendors,
} from '#gateway/manage/vendors/check-vendors.ts'
import { applicantCheck } from './applicant-check-job.ts'
import { type ApplicationFacts, readApplication } from './application-facts.ts'
import { judgeApplication } from './judge-application.ts'
import { machineReview } from './machine-review-job.ts'
import { machineTimeout } from './machine-timeout-job.ts'

const SAMPLE_FACTS: ApplicationFacts = {
  age: 30,
  monthlyIncome: 4_500_000,
  incomeShare: 25,
  amount: 1_000_000,
  productMinimum: 200_000,
  productMaximum: 15_000_000,
  customerClass: 'new',
  orderNo: 1,
  daysSinceRefusal: null,
  worstOverdueDays: 0,
  writtenOff: 0,
  identityElsewhere: 0,
  accountElsewhere: 0,
  blacklistedContacts: 0,
  panNameSame: true,
  cardBound: true,
  nameSimilarity: 96,
  faceScore: 92,
}

let floor: Floor
let app: Machine
beforeAll(async () => {
  floor = await testManage({ parts: () => ({ schedules: [machineReview], routes: reviewRoutes }) })
  await makeProduct(floor)
  app = await machineOf(floor, ['application', 'machineReview'])
})
afterAll(() => floor.close())

async function stored(reviewId: string) {
  const { rows } = await sql<
    Record<string, unknown> & {
      steps: number
      log_lines: number
      machine_report: { rules: { code: string; hit: boolean }[] }
    }
  >`
    select r.state, r.machine_id, r.machine_state, r.machine_report, r.need_manual, r.priority,
      r.retry_count, r.finished_at is not null as finished, o.status, o.refusal_code, o.fail_reason,
      (select count(*)::int from order_status_log l where l.order_id = o.id) as steps, (select count(*)::int
        from review_log l where l.review_id = r.id) as log_lines
    from review r join loan_order o on o.id = r.order_id where r.id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  const row = rows[0]
  if (!row) throw new Error(`no review ${reviewId}`)
  return {
    ...row,
    hits: row.machine_report?.rules.filter((rule) => rule.hit).map((rule) => rule.code) ?? [],
  }
}

describe('the standard rules', () => {
  const judged = async (facts: Partial<ApplicationFacts>) =>
    (
      await judgeApplication(
        await currentRuleSet(floor.database.kysely),
        { ...SAMPLE_FACTS, ...facts },
        null,
      )
    ).judgement

  test.each<[string, Partial<ApplicationFacts>, string, string[], string?]>([
    ['no rule matches', {}, 'passed', []],
    ['20 years old', { age: 20 }, 'failed', ['ADM01'], 'ADM01'],
    ['21 years old', { age: 21 }, 'passed', []],
    ['58 years old', { age: 58 }, 'passed', []],
    ['59 years old', { age: 59 }, 'failed', ['ADM01'], 'ADM01'],
    ['refused 29 days ago', { daysSinceRefusal: 29 }, 'failed', ['ADM02'], 'ADM02'],
    ['refused 30 days ago', { daysSinceRefusal: 30 }, 'passed', []],
    ['an income of 11,999.99', { monthlyIncome: 1_199_999 }, 'failed', ['ADM03', 'LIM02'], 'ADM03'],
    ['an earlier loan 31 days overdue', { worstOverdueDays: 31 }, 'failed', ['CR01'], 'CR01'],
    ['an earlier loan 30 days overdue', { worstOverdueDays: 30 }, 'undecided', ['CR03']],
    ['an earlier loan 8 days overdue', { worstOverdueDays: 8 }, 'undecided', ['CR03']],
    ['an earlier loan 7 days overdue', { worstOverdueDays: 7 }, 'passed', []],
    ['an earlier loan written off', { writtenOff: 1 }, 'failed', ['CR02'], 'CR02'],
    ['the PAN of another customer', { identityElsewhere: 1 }, 'undecided', ['AF01']],
    ['the bank account of another customer', { accountElsewhere: 1 }, 'undecided', ['AF02']],
    ['a blacklisted contact', { blacklistedContacts: 1 }, 'undecided', ['AF03']],
    ['another name on the PAN', { panNameSame: false }, 'undecided', ['KYC01']],
    ['no face comparison at the first loan', { faceScore: null }, 'undecided', ['KYC02']],
    ['no face comparison at the second', { faceScore: null, orderNo: 2 }, 'passed', []],
    ['a face match of 79 %', { faceScore: 79 }, 'undecided', ['KYC02']],
    ['a card that is not bound', { cardBound: false }, 'undecided', ['CARD01']],
    ['a bank account that was not compared', { nameSimilarity: null }, 'undecided', ['CARD02']],
    ['an instalment of 45 % of the income', { incomeShare: 45 }, 'passed', []],
    ['an instalment of 46 % of the income', { incomeShare: 46 }, 'undecided', ['INC01']],
    ['an instalment of 81 % of the income', { incomeShare: 81 }, 'failed', ['INC02'], 'INC02'],
    ['a first loan above 15,000.00', { amount: 1_500_001 }, 'undecided', ['LIM01']],
    [
      'an amount above the limit',
      { amount: 2_000_000, monthlyIncome: 3_000_000, orderNo: 2 },
      'undecided',
      ['LIM02'],
    ],
    [
      'undecided and refusing rules',
      { age: 18, cardBound: false, worstOverdueDays: 99 },
      'failed',
      ['ADM01', 'CR01', 'CARD01'],
      'ADM01',
    ],
    ['a face that nobody compared or said so', { faceScore: undefined }, 'undecided', []],
    ['a limit below the product minimum', { productMinimum: 2_500_000 }, 'limitFailed', []],
  ])('%s', async (_, facts, result, hits, refusalCode) => {
    const judgement = await judged(facts)
    expect({
      result: judgement.result,
      hits: judgement.rules.filter((rule) => rule.hit).map((rule) => rule.code),
      refusalCode: judgement.refusalCode,
    }).toEqual({ result, hits, refusalCode })
    expect(judgement.needManual).toBe(result === 'undecided')
  })

  test("a limit grows with the number of repaid loans, up to the product's maximum", async () => {
    const limits = await Promise.all(
      [
        {},
        { customerClass: 'old', orderNo: 2 },
        { customerClass: 'old', orderNo: 3 },
        { customerClass: 'old', orderNo: 3, monthlyIncome: 90_000_000 },
      ].map(judged),
    )
    expect(limits.map(({ limit, priority }) => [limit, priority])).toEqual([
      [2_250_000, 30],
      [4_500_000, 50],
      [9_000_000, 70],
      [15_000_000, 70],
    ])
  })

  test('every rule is reported with its name and whether it matched', async () => {
    const { rules } = await judged({ accountElsewhere: 2 })
    expect(rules).toHaveLength(17)
    expect(rules.find((rule) => rule.hit)).toEqual({
      code: 'AF02',
      name: 'Bank account known from another customer',
      hit: true,
      output: 'teleVerify',
    })
  })
})

test('an application is judged on arrival, and new borrowers go to manual review', async () => {
  const before = (await floor.events()).at(-1)?.seq ?? 0
  const { reviewId } = await app.call(inboundApplication, makeApplication(1))
  await floor.settle()
  expect(await stored(reviewId)).toMatchObject({
    state: 'unclaimed',
    status: 22,
    machine_id: 'rules-1',
    machine_state: 'undecided',
    need_manual: true,
    priority: 30,
    hits: ['KYC02'],
    steps: 2,
  })
  expect((await floor.events(before)).map((event) => event.type)).toEqual([
    'order.created',
    'order.status.changed',
    'review.state.changed',
    'review.queued',
  ])
})

test("an applicant below the age limit is refused with the rule's reason", async () => {
  const { reviewId } = await app.call(
    inboundApplication,
    makeApplication(2, { customer: { birthday: '2015-01-01' } }),
  )
  await floor.settle()
  expect(await stored(reviewId)).toMatchObject({
    state: 'initial',
    finished: true,
    status: 21,
    machine_state: 'failed',
    refusal_code: 'ADM01',
    fail_reason: 'ADM01 · Age outside 21 to 58',
    hits: ['ADM01', 'KYC02'],
  })
})

test("the facts contain the borrower's earlier loans, shared accounts and blacklisted contacts", async () => {
  const known = await makeBorrower(floor, { blacklisted: true })
  const contacts = makeApplication(3).contacts.map((contact, i) =>
    i === 0 ? { ...contact, phone: known.phone } : contact,
  )
  const { reviewId, orderId, userId } = await app.call(
    inboundApplication,
    makeApplication(3, {
      contacts,
      amount: 900_000,
      bankCard: { account: '60100000001' },
      customer: { panName: 'Ravi Kumarr 3' },
    }),
  )
  await sql`update loan_order set status = 70 where id = ${orderId}`.execute(floor.database.kysely)
  const earlier = await makeOrder(floor, { customerId: userId, status: 70 })
  await sql`update loan_order set status = 10 where id = ${orderId}`.execute(floor.database.kysely)
  await sql`
    update loan_order set status = 100, disbursed_at = clock_timestamp() - interval '90 days',
      overdue_days = 44, close_type = 'writeOffClosed' where id = ${earlier.orderId}`.execute(
    floor.database.kysely,
  )
  await sql`
    update review set state = 'initial', finished_at = null, machine_report = null where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
  const read = await readApplication(floor.context, reviewId)
  // 9,000.00 in three instalments of 90 days at 5 bp a day: 3,135.00 of 45,000.00
  expect(read?.facts).toMatchObject({
    monthlyIncome: 4_500_000,
    incomeShare: 7,
    amount: 900_000,
    orderNo: 2,
    worstOverdueDays: 44,
    writtenOff: 1,
    accountElsewhere: 1,
    blacklistedContacts: 1,
    panNameSame: false,
    cardBound: true,
    nameSimilarity: 96,
    faceScore: null,
    daysSinceRefusal: null,
  })
  await sql`update review set finished_at = clock_timestamp() where id = ${reviewId}`.execute(
    floor.database.kysely,
  )
})

test('after a crash between judging and storing, the next run decides once', async () => {
  await sql`
    create function refuse_judgement() returns trigger language plpgsql as $$ begin raise exception
      'the power went'; end $$`.execute(floor.database.kysely)
  await sql`
    create trigger power_cut before insert on order_status_log for each row
      when (new.cause = 'machineReview') execute function refuse_judgement()`.execute(
    floor.database.kysely,
  )
  const { reviewId } = await makeReview(floor, {
    state: 'initial',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const before = await stored(reviewId)
  await expect(machineReview.run(floor.context)).rejects.toThrow('the power went')
  expect(await stored(reviewId)).toEqual(before)
  await sql`drop trigger power_cut on order_status_log`.execute(floor.database.kysely)
  // two processes at once, then one more run
  await Promise.all([machineReview.run(floor.context), machineReview.run(floor.context)])
  await machineReview.run(floor.context)
  expect(await stored(reviewId)).toMatchObject({
    machine_id: 'rules-1',
    steps: before.steps + 1,
    log_lines: before.log_lines + 1,
  })
})

test('an external result that arrives first is kept', async () => {
  const { reviewId, orderId } = await makeReview(floor, { state: 'initial' })
  expect(
    await app.call(inboundMachineReview, {
      reviewId,
      machineId: 'MR9',
      result: 'passed',
      needManual: false,
      rules: [],
    }),
  ).toMatchObject({ orderId, status: 20 })
  await machineReview.run(floor.context)
  expect(await stored(reviewId)).toMatchObject({ machine_id: 'MR9', status: 20, steps: 2 })
})

test('unreadable rules make reviews abnormal, which are retried three times and then go to manual review', async () => {
  const db = floor.database.kysely
  const later = (reviewId: string) =>
    sql`update review set updated_at = clock_timestamp() - interval '1 hour' where id = ${reviewId}`.execute(
      db,
    )
  await sql`update decision_table_version set state = 'retired' where table_id = 'LIMIT'`.execute(
    db,
  )
  const { reviewId } = await makeReview(floor, { state: 'initial' })
  await machineReview.run(floor.context)
  expect(await stored(reviewId)).toMatchObject({
    state: 'abnormal',
    status: 10,
    machine_state: 'error',
    retry_count: 0,
  })
  // not at once: the error may be temporary
  await machineReview.run(floor.context)
  expect(await stored(reviewId)).toMatchObject({ state: 'abnormal', retry_count: 0 })
  for (let tries = 1; tries <= 3; tries += 1) {
    await later(reviewId)
    await machineReview.run(floor.context)
    expect(await stored(reviewId)).toMatchObject({ state: 'abnormal', retry_count: tries })
  }
  await later(reviewId)
  await machineReview.run(floor.context)
  expect(await stored(reviewId)).toMatchObject({ state: 'unclaimed', status: 22 })
  await sql`update decision_table_version set state = 'enabled' where table_id = 'LIMIT'`.execute(
    db,
  )
})

test('a review that no machine answers goes to manual review, also after a retry by hand', async () => {
  const db = floor.database.kysely
  const minutesAgo = (minutes: number, reviewId: string) =>
    sql`update review set updated_at = clock_timestamp() - make_interval(mins => ${minutes})
      where id = ${reviewId}`.execute(db)
  const disagreeing = async () =>
    (await brokenInvariants(floor.database)).filter(({ code }) => code === 'R01')
  const [fresh, late, undecided] = [
    await makeReview(floor, { state: 'initial' }),
    await makeReview(floor, { state: 'initial' }),
    await makeReview(floor, { state: 'abnormal' }),
  ]
  await sql`update loan_order set status = 22 where id = ${undecided.orderId}`.execute(db)
  await minutesAgo(29, fresh.reviewId)
  await minutesAgo(31, late.reviewId)
  await minutesAgo(60, undecided.reviewId)
  await machineTimeout.run(floor.context)
  expect(await stored(fresh.reviewId)).toMatchObject({ state: 'initial', status: 10 })
  expect(await stored(late.reviewId)).toMatchObject({ state: 'unclaimed', status: 22 })
  expect(await stored(undecided.reviewId)).toMatchObject({ state: 'initial', status: 22 })
  expect(await disagreeing()).toEqual([])
  await minutesAgo(31, undecided.reviewId)
  await machineTimeout.run(floor.context)
  expect(await stored(undecided.reviewId)).toMatchObject({ state: 'unclaimed', status: 22 })
  expect(await disagreeing()).toEqual([])
})

describe('vendors that are asked about applicants', () => {
  let cfgId: string
  beforeAll(async () => {
    const { rows } = await sql<{ id: string }>`
      with party as (
        insert into tp_vendor (code, name, kind) values ('lens', 'Lens', 'bureau') returning id
      ), cfg as (
        insert into tp_cfg (vendor_id, name, base_url, values_enc)
        select id, 'Main', 'https://lens.example.com', '' from party returning id, vendor_id
      )
      insert into tp_app_cfg (app_id, vendor_id, cfg_id, kind, priority)
      select 'A1', vendor_id, id, 'bureau', 1 from cfg returning cfg_id as id`.execute(
      floor.database.kysely,
    )
    cfgId = rows[0]?.id ?? ''
  })
  afterAll(() => sql`delete from tp_app_cfg`.execute(floor.database.kysely))

  const answering = (
    answer: CheckAnswers['bureau'] | null,
  ): CheckVendors & { asked: Applicant[] } => {
    const asked: Applicant[] = []
    const check = (_kind: string, _appId: string, applicant: Applicant) => {
      asked.push(applicant)
      return answer === null
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ cfgId, vendorCode: 'lens', answer })
    }
    return { asked, check: check as CheckVendors['check'] }
  }

  test('an application waits for the answer about it and is judged with it', async () => {
    const { reviewId } = await app.call(inboundApplication, makeApplication(81))
    await floor.settle()
    expect(await stored(reviewId)).toMatchObject({ machine_state: null, finished: false })
    const vendors = answering({ score: 712, openLoans: 2, overdueAmount: 5_000 })
    await applicantCheck(vendors).run(floor.context)
    expect(vendors.asked.find(({ name }) => name === 'Ravi Kumar 81')).toMatchObject({
      checkId: `${reviewId}-bureau`,
    })
    expect((await readApplication(floor.context, reviewId))?.facts).toMatchObject({
      bureauScore: 712,
      bureauOpenLoans: 2,
      bureauOverdue: 5_000,
      // nobody serves the app for this
      panValid: null,
    })
    await floor.settle()
    expect(await stored(reviewId)).not.toMatchObject({ machine_state: null })
    expect(await applicantCheck(vendors).run(floor.context)).toEqual({ started: 0 })
  })

  test('when no vendor answers, the facts are missing and the application goes on', async () => {
    const { reviewId } = await app.call(inboundApplication, makeApplication(82))
    const check = applicantCheck(answering(null))
    for (let n = 0; n < 3; n += 1) {
      expect(await check.run(floor.context)).toEqual({ started: 1 })
      // not before the pause is over
      expect(await check.run(floor.context)).toEqual({ started: 0 })
      await sql`update applicant_check set tried_at = tried_at - interval '1 minute'`.execute(
        floor.database.kysely,
      )
    }
    expect((await readApplication(floor.context, reviewId))?.facts).not.toHaveProperty(
      'bureauScore',
    )
    await floor.settle()
    expect(await stored(reviewId)).not.toMatchObject({ machine_state: null })
  })
})
