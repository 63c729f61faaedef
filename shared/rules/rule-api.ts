import Type from 'typebox'
import { ConditionSchema } from '#shared/conditions/condition.ts'
import { UNKNOWN_CAUSES } from '#shared/conditions/evaluate-condition.ts'
import { endpoint, Id, Nothing, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { Facts, TestCase } from './case-api.ts'
import {
  ACTION_KINDS,
  RULE_MODES,
  RULE_OUTCOMES,
  RULE_STATES,
  RULE_TYPES,
  VERSION_STATES,
} from './rule-sets.ts'
import { StatusChange, VersionedRow } from './versioned-api.ts'

/** Rules of the machine review, their versions, test cases, groups and actions. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const bool = Type.Boolean()
const strict = { additionalProperties: false }
const menu = 'rule_engine'
const VIEW = ['rule_engine:view'] as const

/** Fields of a version. */
const VersionFields = {
  name: Text(1, 80),
  type: OneOf(RULE_TYPES),
  groupId: Id(),
  /** Within its group, the lowest first. */
  priority: Type.Integer({ minimum: 1, maximum: 999 }),
  mode: OneOf(RULE_MODES),
  description: Nullable(Text(0, 300)),
  expression: ConditionSchema(),
  actionId: Id(),
  output: Nullable(Text(1, 200)),
  /** Of an action that refuses. */
  refusalCode: Nullable(Text(1, 20)),
}

/** As it is written: what may be left out is. */
const Written = {
  ...VersionFields,
  description: Type.Optional(VersionFields.description),
  output: Type.Optional(VersionFields.output),
  refusalCode: Type.Optional(VersionFields.refusalCode),
}

export const RuleRow = Type.Object({
  ruleId: text,
  ...VersionFields,
  ...VersionedRow,
  groupName: text,
  actionName: text,
  actionKind: OneOf(ACTION_KINDS),
  hitCount7d: int,
  /** How often it could not be evaluated. */
  openCount7d: int,
})

export const listRules = endpoint({
  method: 'GET',
  path: '/rule/list',
  access: VIEW,
  menu,
  input: ListInput({
    ruleId: Type.Optional(Id()),
    name: Type.Optional(Text(1, 80)),
    type: Type.Optional(OneOf(RULE_TYPES)),
    groupId: Type.Optional(Id()),
    status: Type.Optional(OneOf(RULE_STATES)),
    refusalCode: Type.Optional(Text(1, 20)),
  }),
  data: ListData(RuleRow),
  summary: 'Rules of the machine review in the order they are judged',
})

export const RuleVersion = Type.Object({
  versionNo: int,
  ...VersionFields,
  groupName: text,
  actionName: text,
  actionKind: OneOf(ACTION_KINDS),
  state: OneOf(VERSION_STATES),
  createBy: text,
  createTime: text,
  enableBy: maybe,
  enableTime: maybe,
})

export const ruleDetail = endpoint({
  method: 'GET',
  path: '/rule/detail',
  access: VIEW,
  menu,
  input: Type.Object({ ruleId: Id() }),
  data: Type.Object({
    rule: RuleRow,
    /** The newest first. */
    versions: Type.Array(RuleVersion),
    cases: Type.Array(TestCase),
  }),
  summary: 'A rule with all its versions and test cases',
})

const Saved = Type.Object({ ruleId: text, versionNo: int })

export const addRule = endpoint({
  method: 'POST',
  path: '/rule/add',
  access: ['rule_engine:add'],
  menu,
  input: Type.Object(Written, strict),
  data: Saved,
  audit: 'addRule',
  summary: 'Adds a rule as a draft',
})

export const editRule = endpoint({
  method: 'POST',
  path: '/rule/edit',
  access: ['rule_engine:edit'],
  menu,
  input: Type.Object({ ruleId: Id(), version: Version(), ...Written }, strict),
  data: Saved,
  audit: 'editRule',
  summary: 'Adds a new draft version of a rule; versions are never changed',
})

export const setRuleStatus = endpoint({
  method: 'POST',
  path: '/rule/status',
  access: ['rule_engine:status'],
  menu,
  input: Type.Object({ ruleId: Id(), ...StatusChange }, strict),
  data: Type.Object({ ruleId: text, approvalId: maybe }),
  audit: 'setRuleStatus',
  summary: 'Requests approval to enable a version; disables a rule at once',
})

export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/rule/delete',
  access: ['rule_engine:delete'],
  menu,
  input: Type.Object({ ruleId: Id(), version: Version() }),
  data: Nothing(),
  audit: 'deleteRule',
  summary: 'Deletes a rule that was never in force',
})

/** Each node of a tree, by its path. */
export const Trace = Type.Array(
  Type.Object({ path: text, truth: Nullable(bool), cause: Nullable(OneOf(UNKNOWN_CAUSES)) }),
)

export const testRule = endpoint({
  method: 'POST',
  path: '/rule/test',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object(
    {
      ruleId: Id(),
      versionNo: Type.Optional(Version()),
      /** An order, the latest one of a customer, or facts as they are written in a test case. */
      orderId: Type.Optional(Id()),
      userId: Type.Optional(Id()),
      sample: Type.Optional(Facts),
    },
    strict,
  ),
  data: Type.Object({
    versionNo: int,
    orderId: maybe,
    outcome: OneOf(RULE_OUTCOMES),
    output: maybe,
    facts: Facts,
    expression: ConditionSchema(),
    trace: Trace,
  }),
  passive: true,
  summary: 'Evaluates a rule for one application, with the reason; nothing is stored',
})

export const RuleGroup = Type.Object({
  groupId: text,
  name: text,
  mode: OneOf(RULE_MODES),
  order: int,
  ruleCount: int,
  enabledCount: int,
  updateTime: text,
  version: int,
})

export const listRuleGroups = endpoint({
  method: 'GET',
  path: '/rule/group/list',
  access: VIEW,
  menu,
  input: ListInput({}),
  data: ListData(RuleGroup),
  summary: 'Groups of rules in the order they are judged',
})

export const saveRuleGroup = endpoint({
  method: 'POST',
  path: '/rule/group/save',
  access: ['rule_engine:edit'],
  menu,
  input: Type.Object(
    {
      groupId: Type.Optional(Id()),
      version: Type.Optional(Version()),
      name: Text(1, 60),
      mode: OneOf(RULE_MODES),
      order: Type.Integer({ minimum: 1, maximum: 999 }),
    },
    strict,
  ),
  data: RuleGroup,
  audit: 'saveRuleGroup',
  summary: 'Adds or changes a group; its mode stays while a rule of it is enabled',
})

export const RuleAction = Type.Object({
  actionId: text,
  name: text,
  description: text,
  kind: OneOf(ACTION_KINDS),
  inUse: bool,
  updateTime: text,
  version: int,
})

export const listRuleActions = endpoint({
  method: 'GET',
  path: '/rule/action/list',
  access: VIEW,
  menu,
  input: ListInput({ name: Type.Optional(Text(1, 60)), inUse: Type.Optional(bool) }),
  data: ListData(RuleAction),
  summary: 'Actions of rules',
})

const ActionFields = { name: Text(1, 60), description: Text(0, 200), kind: OneOf(ACTION_KINDS) }

export const addRuleAction = endpoint({
  method: 'POST',
  path: '/rule/action/add',
  access: ['rule_engine:action'],
  menu,
  input: Type.Object(ActionFields, strict),
  data: RuleAction,
  audit: 'addRuleAction',
  summary: 'Adds an action',
})

export const editRuleAction = endpoint({
  method: 'POST',
  path: '/rule/action/edit',
  access: ['rule_engine:action'],
  menu,
  input: Type.Object({ actionId: Id(), version: Version(), ...ActionFields }, strict),
  data: RuleAction,
  audit: 'editRuleAction',
  summary: 'Changes an action; what it does stays while a rule uses it',
})

export const deleteRuleAction = endpoint({
  method: 'DELETE',
  path: '/rule/action/delete',
  access: ['rule_engine:action'],
  menu,
  input: Type.Object({ actionId: Id(), version: Version() }),
  data: Nothing(),
  audit: 'deleteRuleAction',
  summary: 'Deletes an action that no rule uses',
})
