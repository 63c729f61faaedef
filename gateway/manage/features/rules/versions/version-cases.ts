/** Test cases: facts with what the versions must say of them. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Facts } from '#shared/conditions/evaluate-condition.ts'
import { INVALID_FIELDS, NOT_FOUND, Problem } from '#shared/kernel/problem.ts'
import type { TestCase } from '#shared/rules/case-api.ts'
import { RULE_TOO_MANY_CASES } from '#shared/rules/rule-problems.ts'
import { MOST_CASES, type RuleOutcome } from '#shared/rules/rule-sets.ts'
import type { Db } from '#gateway/manage/db/transaction.ts'
import type { CommandTx } from '#gateway/manage/kernel/command.ts'
import type { AnyKind, HeadVersion } from './version-kind.ts'
import { emitRow, lockRow, readVersion } from './version-store.ts'

export type Case = Static<typeof TestCase>
type Judging = Pick<AnyKind, 'key' | 'outcomeOf'>

interface CaseInput {
  caseId?: string
  name: string
  facts: Facts & Case['facts']
  expects: RuleOutcome
  /** Of a table: what the row must give. */
  gives: Case['gives']
}

/** With the outcome of a version for each. */
export async function readCases(
  db: Db,
  kind: Judging,
  id: string,
  version: HeadVersion,
): Promise<Case[]> {
  const { rows } = await sql<Omit<Case, 'outcome' | 'got' | 'passes'>>`
    select k.id as "caseId", k.name, k.facts, k.expects, k.gives from rule_case k
    where k.${sql.ref(kind.key)} = ${id} order by k.id`.execute(db)
  return rows.map((row) => judged(kind, version, row))
}

export async function failingCases(
  db: Db,
  kind: Judging,
  id: string,
  version: HeadVersion,
): Promise<Case[]> {
  return (await readCases(db, kind, id, version)).filter(({ passes }) => !passes)
}

function judged(
  kind: Judging,
  version: HeadVersion,
  row: Omit<Case, 'outcome' | 'got' | 'passes'>,
): Case {
  const { outcome, got } = kind.outcomeOf(version, row.facts)
  const given = Object.entries(row.gives ?? {})
  const passes =
    outcome === row.expects && given.every(([name, value]) => (got?.[name] ?? null) === value)
  return { ...row, outcome, got, passes }
}

/** @throws Problem G404, X-MANY, G-FIELD for a fact that cannot be asked for */
export async function saveCase(
  tx: CommandTx,
  kind: AnyKind,
  id: string,
  { caseId, name, facts, expects, gives }: CaseInput,
): Promise<Case> {
  const row = await lockRow(tx.db, kind, id)
  const known = new Set(kind.catalogue.map((field) => field.name))
  if (Object.keys(facts).some((fact) => !known.has(fact)))
    throw new Problem(INVALID_FIELDS, {}, { fields: { facts: 'unknown' } })
  if (caseId === undefined && row.caseCount >= MOST_CASES)
    throw new Problem(RULE_TOO_MANY_CASES, { n: MOST_CASES })
  const values = {
    facts: JSON.stringify(facts),
    gives: gives === null ? null : JSON.stringify(gives),
  }
  const { rows } =
    caseId === undefined
      ? await sql<{ id: string }>`
          insert into rule_case (${sql.ref(kind.key)}, name, facts, expects, gives, updated_by_name)
          values (${id}, ${name}, ${values.facts}::jsonb, ${expects}, ${values.gives}::jsonb,
            ${tx.actor.userName}) returning id`.execute(tx.db)
      : await sql<{ id: string }>`
          update rule_case set name = ${name}, facts = ${values.facts}::jsonb,
            expects = ${expects}, gives = ${values.gives}::jsonb,
            updated_by_name = ${tx.actor.userName}, updated_at = clock_timestamp()
          where id = ${caseId} and ${sql.ref(kind.key)} = ${id} returning id`.execute(tx.db)
  const [saved] = rows
  if (!saved) throw new Problem(NOT_FOUND)
  emitRow(tx, kind, id, row)
  tx.log({
    action: 'saveRuleCase',
    targetKind: kind.targetKind,
    targetId: id,
    after: {
      name: row.name,
      case: { caseId: saved.id, name, facts, expects, ...(gives && { gives }) },
    },
  })
  const latest = await readVersion(tx.db, kind, id, row.latestNo)
  return judged(kind, latest, { caseId: saved.id, name, facts, expects, gives })
}
