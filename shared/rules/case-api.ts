/** Test cases of rules and of decision tables: facts with the expected outcome. */
import Type from 'typebox'
import { endpoint, Id, MapOf, Nothing, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { RULE_OUTCOMES } from './rule-sets.ts'
import { OUTPUT_NAMES } from './tables/decision-table.ts'

const text = Type.String()
const strict = { additionalProperties: false }
const menu = 'rule_engine'

/** Numbers, texts, true or false by the names of the catalogue; null = there is no value. */
export const Facts = MapOf(
  Nullable(Type.Union([Type.Number(), Type.String({ maxLength: 200 }), Type.Boolean()])),
)
/** By the names of a table's outputs; null = the row gives none. What is not named is not compared. */
const Gives = MapOf(Nullable(Type.Integer({ minimum: 0 })), {
  keys: `^(${OUTPUT_NAMES.join('|')})$`,
})

export const TestCase = Type.Object({
  caseId: text,
  name: text,
  facts: Facts,
  expects: OneOf(RULE_OUTCOMES),
  /** Of a table. */
  gives: Nullable(Gives),
  /** Outcome by the latest version. */
  outcome: OneOf(RULE_OUTCOMES),
  got: Nullable(MapOf(Type.Number())),
  passes: Type.Boolean(),
})

const CaseFields = {
  caseId: Type.Optional(Id()),
  name: Text(1, 80),
  facts: Facts,
  expects: OneOf(RULE_OUTCOMES),
}

export const saveRuleCase = endpoint({
  method: 'POST',
  path: '/rule/case/save',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object({ ruleId: Id(), ...CaseFields }, strict),
  data: TestCase,
  audit: 'saveRuleCase',
  summary:
    'Saves a test case of a rule: facts and the expected outcome; a rule is not enabled while one fails',
})

export const saveTableCase = endpoint({
  method: 'POST',
  path: '/rule/table/case/save',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object({ tableId: Id(), ...CaseFields, gives: Type.Optional(Gives) }, strict),
  data: TestCase,
  audit: 'saveRuleCase',
  summary:
    'Saves a test case of a table: facts and the expected row; a table is not enabled while one fails',
})

export const deleteRuleCase = endpoint({
  method: 'DELETE',
  path: '/rule/case/delete',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object({ caseId: Id() }),
  data: Nothing(),
  audit: 'deleteRuleCase',
  summary: 'Deletes a test case of a rule or a table',
})
