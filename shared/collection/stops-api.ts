import Type from 'typebox'
import { Day, endpoint, Id, OneOf, Text, Time } from '#shared/kernel/endpoint.ts'
import { ATTACHED } from '#shared/kernel/kept-file.ts'
import { BULK_MAX, BulkData, ListData, ListInput } from '#shared/kernel/page.ts'
import { StopRow } from './cases-api.ts'
import { STOP_REASONS, STOP_STATES } from './collection-sets.ts'

/** Customers whose collection is suspended. */
const strict = { additionalProperties: false }
const ids = Type.Array(Id(), { minItems: 1, maxItems: BULK_MAX, uniqueItems: true })

export const listStops = endpoint({
  method: 'GET',
  path: '/collection/stop/list',
  exports: [{ code: 'stop_collection:export' }],
  file: { path: '/export/collection/task', when: { tab: ['stop'] } },
  access: ['stop_collection:view'],
  menu: 'stop_collection',
  input: ListInput({
    userId: Type.Optional(Id()),
    orderId: Type.Optional(Id()),
    userName: Type.Optional(Text(1, 64)),
    reason: Type.Optional(OneOf(STOP_REASONS)),
    state: Type.Optional(OneOf(STOP_STATES)),
    startFrom: Type.Optional(Time()),
    startTo: Type.Optional(Time()),
  }),
  data: ListData(StopRow),
  summary: 'Stopped collection',
})

export const stopFile = endpoint({
  method: 'GET',
  path: '/collection/stop/file',
  access: ['stop_collection:view', 'pedding_list:view', 'peded_list:view'],
  menu: 'stop_collection',
  input: Type.Object({ stopId: Id(), fileId: Id() }),
  // a file answer has no envelope: an image with a watermark, or a PDF as a download
  data: Type.Unknown(),
  audit: 'stopFile',
  summary: 'A file of a stop, for viewers of the stop; each opening is logged',
})

export const addStop = endpoint({
  method: 'POST',
  path: '/collection/stop/add',
  access: ['stop_collection:add', 'pedding_list:stop'],
  menu: 'stop_collection',
  /**
   * `endTime` = last IST day, at most 180 days ahead; absent = open end. Only the system sets
   * grievance and proof holds.
   */
  input: Type.Object(
    {
      userId: Id(),
      reason: OneOf([
        'dispute',
        'bereavement',
        'deceased',
        'disaster',
        'familyEvent',
        'hardship',
        'legal',
        'fraud',
        'wrongPerson',
        'other',
      ]),
      endTime: Type.Optional(Day()),
      remark: Text(4, 500),
    },
    strict,
  ),
  files: ATTACHED,
  data: StopRow,
  audit: 'add',
  idempotency: 'required',
  summary:
    'Requests to stop collection for a customer; holds at once for humane reasons and for those who may decide',
})

export const decideStops = endpoint({
  method: 'POST',
  path: '/collection/stop/decide',
  access: ['stop_collection:decide'],
  menu: 'stop_collection',
  input: Type.Object(
    { stopIds: ids, result: OneOf(['active', 'rejected']), reason: Type.Optional(Text(4, 200)) },
    strict,
  ),
  data: BulkData(),
  audit: 'decide',
  idempotency: 'required',
  summary: "Decides others' requests to stop",
})

export const resumeStops = endpoint({
  method: 'POST',
  path: '/collection/stop/resume',
  access: ['stop_collection:resume'],
  menu: 'stop_collection',
  input: Type.Object({ stopIds: ids, remark: Text(4, 200) }, strict),
  data: BulkData(),
  audit: 'resume',
  idempotency: 'required',
  summary: 'Ends a stop: cases return to their holder, or to the pool',
})
