import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Text, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { MACHINE_ROUTES, TRIAL_KINDS, TRIAL_SIDES, TRIAL_CAUSES } from './trial-sets.ts'

/** Versions that judge beside the one in force, or a share of the applications in its place. */
const text = Type.String()
const int = Type.Integer()
const menu = 'rule_engine'
const VIEW = ['rule_engine:view'] as const
const route = OneOf(MACHINE_ROUTES)
const strict = { additionalProperties: false }

export const RuleTrial = Type.Object({
  trialId: text,
  ruleId: text,
  versionNo: int,
  kind: OneOf(TRIAL_KINDS),
  /** Of a share. */
  percent: Nullable(int),
  reason: text,
  startBy: text,
  startTime: text,
  endBy: Nullable(text),
  endTime: Nullable(text),
  judged: int,
  /** Of a shadow: the outcomes differ, or the version on trial has none. */
  different: int,
  cells: Type.Array(
    Type.Object({
      /** Of a share. */
      side: Nullable(OneOf(TRIAL_SIDES)),
      happened: route,
      would: Nullable(route),
      n: int,
    }),
  ),
})

export const startTrial = endpoint({
  method: 'POST',
  path: '/rule/trial/start',
  access: ['rule_engine:status'],
  menu,
  input: Type.Object(
    {
      ruleId: Id(),
      version: Version(),
      versionNo: Version(),
      kind: OneOf(TRIAL_KINDS),
      /** Of a share. */
      percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
      reason: Text(4, 200),
    },
    strict,
  ),
  /** A share waits for the second person; a shadow, which decides nothing, begins at once. */
  data: Type.Object({ trialId: Nullable(text), approvalId: Nullable(text) }),
  audit: 'startTrial',
  summary:
    'Starts a trial of a version beside the one in force, or requests that it decides a share',
})

export const stopTrial = endpoint({
  method: 'POST',
  path: '/rule/trial/stop',
  access: ['rule_engine:status'],
  menu,
  input: Type.Object({ trialId: Id(), reason: Text(4, 200) }, strict),
  data: Type.Object({ trialId: text }),
  audit: 'stopTrial',
  summary: 'Ends a trial at once; what it counted stays',
})

export const listTrials = endpoint({
  method: 'GET',
  path: '/rule/trial/list',
  access: VIEW,
  menu,
  input: ListInput({ ruleId: Id() }),
  data: ListData(RuleTrial),
  summary: 'Trials of a rule with what they counted, the newest first',
})

export const listTrialRows = endpoint({
  method: 'GET',
  path: '/rule/trial/rows',
  access: VIEW,
  menu,
  input: ListInput({
    trialId: Id(),
    side: Type.Optional(OneOf(TRIAL_SIDES)),
    happened: Type.Optional(route),
    would: Type.Optional(route),
    different: Type.Optional(Type.Boolean()),
  }),
  data: ListData(
    Type.Object({
      orderId: text,
      channelName: text,
      productName: text,
      /** Paise. */
      amount: int,
      /** When it was judged. */
      judgeTime: text,
      side: Nullable(OneOf(TRIAL_SIDES)),
      versionNo: Nullable(int),
      happened: route,
      would: Nullable(route),
      cause: Nullable(OneOf(TRIAL_CAUSES)),
      orderStatus: int,
      overdueDays: int,
    }),
  ),
  summary: 'Applications judged during a trial within the scope of the reader',
})
