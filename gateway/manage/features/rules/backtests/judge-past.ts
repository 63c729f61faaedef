/**
 * What the rules say of an application with what was known when it was judged: the facts and the
 * limit are those stored then, so nothing that happened later is looked at.
 */
import { sql } from 'kysely'
import type { MachineRoute, TrialCause } from '#shared/rules/trial-sets.ts'
import { NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { RuleFacts } from '../book/test-rule.ts'
import { withVersion } from '../engine/choose-rules.ts'
import { resultsOf, ruleRunner, type RuleRunner } from '../engine/rule-runner.ts'
import { type KnownRule, readRulesOf, type RuleRef } from '../engine/rules-in-force.ts'
import { withLimit } from '../rule-set.ts'

export interface PastRow {
  orderId: string
  happened: MachineRoute | null
  live: MachineRoute | null
  would: MachineRoute | null
  cause: TrialCause | null
}

export interface PastJudge {
  runner: RuleRunner
  live: KnownRule[]
  would: KnownRule[]
  /** The version that is tried. */
  draft: KnownRule
}

interface Application {
  orderId: string
  happened: MachineRoute | null
  facts: Record<string, unknown> | null
  /** As in the report of the machine. */
  limit: number | null
}

/** Of each installation the last one, because compiling takes longer than a part. */
const compiled = new WeakMap<AppContext, { backtestId: string; judge: PastJudge }>()

/**
 * The versions as they stood when the back-test was started, whatever was enabled since.
 * @throws Problem G404 @throws RuleSetInvalid
 */
export async function pastJudge(
  { db, context }: Pick<CommandTx, 'db' | 'context'>,
  backtestId: string,
): Promise<PastJudge> {
  const known = compiled.get(context)
  if (known?.backtestId === backtestId) return known.judge
  const { rows } = await sql<{ ruleId: string; versionNo: number; judged: RuleRef[] }>`
    select b.rule_id as "ruleId", b.version_no as "versionNo", b.judged from rule_backtest b
    where b.id = ${backtestId}`.execute(db)
  const [backtest] = rows
  if (!backtest) throw new Problem(NOT_FOUND)
  const { ruleId, versionNo, judged } = backtest
  const versions = await readRulesOf(db, judged)
  const draft = versions.find((rule) => rule.ruleId === ruleId && rule.versionNo === versionNo)
  if (!draft) throw new Problem(NOT_FOUND)
  const live = versions.filter((rule) => rule.isInForce)
  const would = withVersion(live, versions, draft)
  const judge = { runner: await ruleRunner(versions), live, would, draft }
  compiled.set(context, { backtestId, judge })
  return judge
}

export async function judgePast(
  db: Db,
  judge: PastJudge,
  source: RuleFacts,
  part: { backtestId: string; n: number },
): Promise<PastRow[]> {
  const rows: PastRow[] = []
  // one after the other: together they would take every processor there is
  for (const application of await readPart(db, part))
    rows.push(await judgeOne(judge, source, application))
  return rows
}

async function judgeOne(
  { runner, live, would, draft }: PastJudge,
  source: RuleFacts,
  { orderId, happened, facts: stored, limit: reported }: Application,
): Promise<PastRow> {
  const unjudged = (cause: TrialCause): PastRow => ({
    orderId,
    happened,
    live: null,
    would: null,
    cause,
  })
  if (happened === null) return unjudged('notJudged')
  if (stored === null) return unjudged('noFacts')
  const limit = typeof stored.limit === 'number' ? stored.limit : reported
  if (limit === null) return unjudged('noLimit')
  const facts = withLimit(stored, limit)
  const outcomes = await runner.run(facts).catch(() => null)
  if (outcomes === null) return unjudged('faulty')
  const routeOf = (rules: KnownRule[]) =>
    source.routeOf({ rules, results: resultsOf(rules, outcomes) }, facts, limit)
  const cause = outcomes.get(draft)?.cause ?? null
  return {
    orderId,
    happened,
    live: routeOf(live),
    would: routeOf(would),
    // a value that is known to be empty is an answer
    cause: cause === 'empty' ? null : cause,
  }
}

/** What became of an application that was judged again counts once: people saw it. */
async function readPart(
  db: Db,
  { backtestId, n }: { backtestId: string; n: number },
): Promise<Application[]> {
  const { rows } = await sql<Application>`
    select o.id as "orderId", f.facts, (r.machine_report ->> 'limit')::bigint as limit,
      case when s.people then 'people' when s.passed then 'pass' when s.failed then 'fail' end as happened
    from rule_backtest_part p
    join loan_order o on (o.created_at, o.id) >= (p.from_at, p.from_id)
      and (o.created_at, o.id) <= (p.to_at, p.to_id) and o.from_order_id is null
    left join lateral (
      select v.id, v.machine_report from review v where v.order_id = o.id
      order by v.created_at desc limit 1
    ) r on true
    left join machine_facts f on f.review_id = r.id
    cross join lateral (
      select bool_or(l.to_status = 22) as people, bool_or(l.to_status = 20) as passed,
        bool_or(l.to_status in (21, 23)) as failed
      from order_status_log l where l.order_id = o.id
    ) s
    where p.backtest_id = ${backtestId} and p.n = ${n}`.execute(db)
  return rows
}
