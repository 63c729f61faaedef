/** Alerts: limits of figures, and who is notified when a figure crosses one. */
import Type from 'typebox'
import { endpoint, Id, MapOf, Nullable, OneOf, Version } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { ALERT_REPORT_NAMES } from './alert-reports.ts'
import { type MeasureName, MEASURES } from './measures.ts'

/**
 * `above` judges the running day, or the newest one whose figure is complete where it needs days;
 * `below` and `change` a day that has ended. A change is against the same weekday a week before.
 */
export const ALERT_KINDS = ['above', 'below', 'change'] as const

const text = Type.String()
const strict = { additionalProperties: false }
const menu = 'home'
// the keys of a closed set
const Measure = () => OneOf(Object.keys(MEASURES) as [MeasureName, ...MeasureName[]])

const Person = Type.Object({ userId: text, userName: text })

/** Of the report's call. */
const filters = MapOf(text)

export const AlertRow = Type.Object({
  alertId: text,
  report: OneOf(ALERT_REPORT_NAMES),
  measure: Measure(),
  /** Row of the report that is judged; null: the whole. */
  part: Nullable(text),
  /** Group of the report the row is of, where it has several such. */
  partGroup: Nullable(text),
  /** What the row is called, where it is no word of the product. */
  partName: Nullable(text),
  kind: OneOf(ALERT_KINDS),
  /** In the unit of the measure; of a change in basis points. */
  threshold: Type.Integer(),
  filters,
  /** Names of what the filters choose by id. */
  filterNames: MapOf(text),
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
  summary: 'Alerts on figures of the reports the caller may see',
})

export const alertReaders = endpoint({
  method: 'GET',
  path: '/report/alert/readers',
  access: ['home:alert'],
  menu,
  input: Type.Object({ report: Type.Optional(OneOf(ALERT_REPORT_NAMES)) }),
  data: Type.Object({
    people: Type.Array(Type.Object({ userId: text, userName: text, account: text })),
  }),
  summary: 'People who may receive the alerts of a report, because they see all its figures',
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
      report: Type.Optional(OneOf(ALERT_REPORT_NAMES)),
      measure: Measure(),
      part: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
      partGroup: Type.Optional(Type.String({ maxLength: 20 })),
      kind: OneOf(ALERT_KINDS),
      threshold: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
      filters: Type.Optional(filters),
      told: Type.Array(Id(), { minItems: 1, maxItems: 20, uniqueItems: true }),
    },
    strict,
  ),
  data: AlertRow,
  audit: 'saveAlert',
  summary: 'Saves an alert on a figure of a report; without a report, on a daily figure',
})

export const deleteAlert = endpoint({
  method: 'POST',
  path: '/report/alert/delete',
  access: ['home:alert'],
  menu,
  input: Type.Object({ alertId: Id(), version: Version() }, strict),
  data: Type.Null(),
  audit: 'deleteAlert',
  summary: 'Deletes an alert',
})
