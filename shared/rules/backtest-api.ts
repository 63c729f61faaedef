import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { BACKTEST_DAYS_MOST, BACKTEST_STATES, MACHINE_ROUTES, TRIAL_CAUSES } from './trial-sets.ts'

/** What a version would have made of past applications, and how those that turn were paid. */
const text = Type.String()
const int = Type.Integer()
const menu = 'rule_engine'
const VIEW = ['rule_engine:view'] as const
const route = OneOf(MACHINE_ROUTES)
const cause = OneOf(TRIAL_CAUSES)

export const Backtest = Type.Object({
  backtestId: text,
  ruleId: text,
  versionNo: int,
  days: int,
  fromTime: text,
  toTime: text,
  state: OneOf(BACKTEST_STATES),
  isStopping: Type.Boolean(),
  /** Applications in the range; null until they are counted. */
  applications: Nullable(int),
  /** Per cent of them that were judged. */
  progress: int,
  startBy: text,
  startTime: text,
  endTime: Nullable(text),
})

export const startBacktest = endpoint({
  method: 'POST',
  path: '/rule/backtest/start',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object(
    {
      ruleId: Id(),
      versionNo: Version(),
      days: Type.Integer({ minimum: 1, maximum: BACKTEST_DAYS_MOST }),
    },
    { additionalProperties: false },
  ),
  data: Backtest,
  audit: 'startBacktest',
  summary: 'Judges the applications of the last days again with a version; one back-test at a time',
})

export const stopBacktest = endpoint({
  method: 'POST',
  path: '/rule/backtest/stop',
  access: ['rule_engine:test'],
  menu,
  input: Type.Object({ backtestId: Id() }, { additionalProperties: false }),
  data: Backtest,
  audit: 'stopBacktest',
  summary: 'Stops a back-test; what it has judged until then stays',
})

export const listBacktests = endpoint({
  method: 'GET',
  path: '/rule/backtest/list',
  access: VIEW,
  menu,
  input: ListInput({ ruleId: Id() }),
  data: ListData(Backtest),
  summary: 'Back-tests of a rule, the newest first',
})

const Paid = {
  n: int,
  /** Of `n`, those that would go another way with the versions in force too: not by this version. */
  byOthers: int,
  loans: int,
  /** First instalments that are old enough, and those that were not paid in time. */
  due7: int,
  unpaid7: int,
  due30: int,
  unpaid30: int,
  firstDue: int,
  firstUnpaid: int,
}
const Routes = Type.Object({ pass: int, people: int, fail: int })
const Group = Type.Object({
  id: text,
  name: text,
  n: int,
  happened: Routes,
  would: Routes,
  turned: int,
})
const Cause = Type.Object({ cause, n: int })

export const backtestDetail = endpoint({
  method: 'GET',
  path: '/rule/backtest/detail',
  access: VIEW,
  menu,
  input: Type.Object({ backtestId: Id() }),
  data: Type.Object({
    backtest: Backtest,
    cells: Type.Array(Type.Object({ happened: route, would: route, ...Paid })),
    channels: Type.Array(Group),
    products: Type.Array(Group),
    /** Applications that could not be evaluated. */
    unjudged: Type.Array(Cause),
    /** Applications of which the condition of the version could not be evaluated. */
    open: Type.Array(Cause),
    /** The rows behind the figures are kept for a term. */
    hasRows: Type.Boolean(),
  }),
  summary: 'Results of a back-test, by route, channel and product',
})

export const JudgedRow = Type.Object({
  orderId: text,
  channelName: text,
  productName: text,
  /** Paise. */
  amount: int,
  applyTime: text,
  happened: Nullable(route),
  live: Nullable(route),
  would: Nullable(route),
  cause: Nullable(cause),
  /** As it is now. */
  orderStatus: int,
  overdueDays: int,
})

export const listBacktestRows = endpoint({
  method: 'GET',
  path: '/rule/backtest/rows',
  access: VIEW,
  menu,
  input: ListInput({
    backtestId: Id(),
    happened: Type.Optional(route),
    would: Type.Optional(route),
    cause: Type.Optional(cause),
    channelId: Type.Optional(Id()),
    productId: Type.Optional(Id()),
    /** Only those that would go another way than they did. */
    turned: Type.Optional(Type.Boolean()),
  }),
  data: ListData(JudgedRow),
  summary: 'Applications of a back-test within the scope of the reader',
})
