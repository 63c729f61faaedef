/** The rows a compiled condition finds are those the evaluator says, and null stays null. */
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { evaluateCondition } from '#shared/conditions/evaluate-condition.ts'
import { SAMPLE_CATALOGUE, soundCondition, soundFacts } from '#tests/support/conditions.ts'
import { testDatabase } from '#tests/support/database.ts'
import { conditionSql } from './condition-sql.ts'

const COLUMNS = Object.fromEntries(SAMPLE_CATALOGUE.map(({ name }) => [name, `x.${name}`]))

test('random conditions find the rows that evaluate to true', async () => {
  const database = await testDatabase()
  try {
    const check = fc.asyncProperty(
      soundCondition,
      fc.array(soundFacts, { minLength: 1, maxLength: 8 }),
      async (condition, facts) => {
        const { rows } = await sql<{ truth: boolean | null }>`
          select ${conditionSql(condition, SAMPLE_CATALOGUE, COLUMNS)} as truth
          from jsonb_to_recordset(${JSON.stringify(facts.map((row, n) => ({ ...row, n })))}::jsonb)
            as x (age float8, income bigint, share bigint, joined date, city text, certified boolean,
              tier text, n int)
          order by x.n`.execute(database.database.kysely)
        expect(rows.map(({ truth }) => truth)).toEqual(
          facts.map((row) => evaluateCondition(condition, row, SAMPLE_CATALOGUE).truth),
        )
      },
    )
    await fc.assert(check, { numRuns: 150 })
  } finally {
    await database.close()
  }
})
