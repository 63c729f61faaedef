/** Reports that are made as a file for their reader each morning. */
import Type from 'typebox'
import { ExportColumn, startExport } from '#shared/exports/exports-api.ts'
import { endpoint, Id, MapOf, Nullable, OneOf, Text } from '#shared/kernel/endpoint.ts'
import { REPORT_DAYS } from '#shared/kernel/report.ts'

/** No vendor of messages, no address of the console (a parameter), none of the reader. */
export const NO_EMAIL = ['noVendor', 'noConsole', 'noAddress'] as const

const strict = { additionalProperties: false }
const text = Type.String()
const { list, filters } = startExport.input.properties

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/report/subscription/list',
  // one's own
  access: 'any',
  input: Type.Object({}),
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        subscriptionId: text,
        list: text,
        filters: MapOf(Type.Unknown()),
        title: text,
        days: Type.Integer(),
        byEmail: Type.Boolean(),
      }),
    ),
    /** Why nothing can be sent by e-mail to this reader now; null when it can. */
    noEmail: Nullable(OneOf(NO_EMAIL)),
  }),
  summary: 'Daily reports of the caller',
})

export const saveSubscription = endpoint({
  method: 'POST',
  path: '/report/subscription/save',
  // the report's own code of export decides
  access: 'any',
  input: Type.Object(
    {
      list,
      /** Input of the report's call without its days. */
      filters,
      columns: Type.Array(ExportColumn, { minItems: 1, maxItems: 80 }),
      title: Text(1, 100),
      days: Type.Integer({ minimum: 1, maximum: REPORT_DAYS }),
      /** Sends an e-mail when the file is ready, with a link that requires a sign-in. */
      byEmail: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
  data: Type.Object({ subscriptionId: text }),
  audit: 'subscribe',
  summary:
    'Subscribes to a report: a file each morning, of the given number of days up to yesterday',
})

export const deleteSubscription = endpoint({
  method: 'POST',
  path: '/report/subscription/delete',
  access: 'any',
  input: Type.Object({ subscriptionId: Id() }, strict),
  data: Type.Null(),
  audit: 'unsubscribe',
  summary: 'Ends a daily report',
})
