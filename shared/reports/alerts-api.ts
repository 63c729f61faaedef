/** Limits of the daily figures, and who is told when a figure crosses one. */
import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { HOME_MEASURES } from './home-figures-api.ts'

/**
 * `above` judges the running day; `below` and `change` the day that has ended. A change is against
 * the same weekday a week before.
 */
export const ALERT_KINDS = ['above', 'below', 'change'] as const

const text = Type.String()
const strict = { additionalProperties: false }
const menu = 'home'

const Person = Type.Object({ userId: text, userName: text })

export const AlertRow = Type.Object({
  alertId: text,
  measure: OneOf(HOME_MEASURES),
  kind: OneOf(ALERT_KINDS),
  /** In the unit of the measure; of a change in basis points. */
  threshold: Type.Integer(),
  appId: Nullable(text),
  appName: Nullable(text),
  channelId: Nullable(text),
  channelName: Nullable(text),
  told: Type.Array(Person),
  isCrossed: Type.Boolean(),
  crossedTime: Nullable(text),
  /** IST day that was judged last, and its figure. */
  lastDay: Nullable(text),
  lastValue: Nullable(Type.Integer()),
  updatedBy: text,
  updatedTime: text,
  version: Type.Integer(),
})

export const listAlerts = endpoint({
  method: 'GET',
  path: '/report/alert/list',
  access: ['home:alert'],
  menu,
  input: ListInput({}),
  data: ListData(AlertRow),
  summary: 'Limits of the daily figures',
})

export const alertReaders = endpoint({
  method: 'GET',
  path: '/report/alert/readers',
  access: ['home:alert'],
  menu,
  input: Type.Object({}),
  data: Type.Object({
    people: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
  }),
  summary: 'Who may see the daily figures, and so be told of them',
})

export const saveAlert = endpoint({
  method: 'POST',
  path: '/report/alert/save',
  access: ['home:alert'],
  menu,
  input: Type.Object(
    {
      /** With its version; a new one has neither. */
      alertId: Type.Optional(Id()),
      version: Type.Optional(Version()),
      measure: OneOf(HOME_MEASURES),
      kind: OneOf(ALERT_KINDS),
      threshold: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
      appId: Type.Optional(Id()),
      channelId: Type.Optional(Id()),
      told: Type.Array(Id(), { minItems: 1, maxItems: 20, uniqueItems: true }),
    },
    strict,
  ),
  data: AlertRow,
  audit: 'saveAlert',
  summary: 'Sets a limit of a daily figure',
})

export const deleteAlert = endpoint({
  method: 'POST',
  path: '/report/alert/delete',
  access: ['home:alert'],
  menu,
  input: Type.Object({ alertId: Id(), version: Version() }, strict),
  data: Type.Null(),
  audit: 'deleteAlert',
  summary: 'Deletes a limit of a daily figure',
})
