import Type from 'typebox'
import { Day, endpoint, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'

/** What governs the product, by the kinds of targets in the operate log. */
export const CHANGE_KINDS = [
  'config',
  'rule',
  'decisionTable',
  'ruleGroup',
  'ruleAction',
  'product',
  'emiApp',
  'app',
  'appGroup',
  'stage',
  'aiConfig',
  'thirdParty',
  'configuration',
  'service',
  'dict',
  'dictDetail',
  'line',
  'scheduledTask',
  'role',
  'marketingNode',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

const text = Type.String()
const maybe = Nullable(text)

export const ChangeRow = Type.Object({
  logId: text,
  time: text,
  kind: OneOf(CHANGE_KINDS),
  targetId: maybe,
  /** The code of a parameter, or the name the target had. */
  name: maybe,
  action: text,
  /** As the operate log stores them: personal data is masked, secrets are never part of it. */
  before: Type.Unknown(),
  after: Type.Unknown(),
  /** Who made it; of a change that needed approval, who asked for it. */
  by: maybe,
  approvedBy: maybe,
})

export const listChanges = endpoint({
  method: 'GET',
  path: '/operateLog/changes',
  access: ['operate_record:view'],
  menu: 'operate_record',
  input: ListInput({
    kind: Type.Optional(OneOf(CHANGE_KINDS)),
    /** Of the target or its name. */
    what: Type.Optional(Text(1, 100)),
    by: Type.Optional(Text(1, 60)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(ChangeRow),
  summary: 'Changes of parameters, rules and configurations, the newest first',
})
