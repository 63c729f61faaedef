import Type from 'typebox'
import { Day, endpoint, Id, MapOf, Nullable, OneOf, Paise, Text } from '#shared/kernel/endpoint.ts'
import { EXPORT_FORMATS } from '#shared/exports/exports-api.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import {
  BATCH_KINDS,
  BATCH_LEFT_OUT,
  BATCH_RUN_MOST,
  BATCH_RUN_SHEET,
  BATCH_SOURCES,
  BATCH_STATES,
  ITEM_RESULTS,
} from './batch-sets.ts'

/** One step of the pipeline for many orders: a job whose rows are the orders. */
const text = Type.String()
const int = Type.Integer()
const maybe = Nullable(text)
const strict = { additionalProperties: false }
const menu = 'batch_run'

/** Those of the type in `BATCH_PARAMS`. */
const params = {
  amount: Type.Optional(Paise({ minimum: 100 })),
  ratio: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  rate: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
  tenureDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_095 })),
  term: Type.Optional(Type.Integer({ minimum: 1, maximum: 36 })),
}

export const BatchRow = Type.Object({
  batchId: text,
  type: OneOf(BATCH_KINDS),
  source: OneOf(BATCH_SOURCES),
  reason: text,
  /** In paise, basis points, days and instalments. */
  params: Type.Object({
    amount: Type.Optional(int),
    ratio: Type.Optional(int),
    rate: Type.Optional(int),
    tenureDays: Type.Optional(int),
    term: Type.Optional(int),
  }),
  total: int,
  done: int,
  ok: int,
  fail: int,
  state: OneOf(BATCH_STATES),
  /** It ends before its next row. */
  isStopping: Type.Boolean(),
  startBy: maybe,
  startTime: text,
  endTime: maybe,
})

export const listBatches = endpoint({
  method: 'GET',
  path: '/batch/list',
  access: ['batch_run:view'],
  menu,
  input: ListInput({
    type: Type.Optional(OneOf(BATCH_KINDS)),
    state: Type.Optional(OneOf(BATCH_STATES)),
    startBy: Type.Optional(Text(1, 60)),
    timeFrom: Type.Optional(Day()),
    timeTo: Type.Optional(Day()),
  }),
  data: ListData(BatchRow),
  summary: 'Batch runs, the newest first',
})

export const BatchItem = Type.Object({
  itemId: int,
  type: OneOf(BATCH_KINDS),
  orderId: text,
  userId: maybe,
  /** As the preview showed them; null in batches of before they were kept. */
  before: maybe,
  after: maybe,
  result: OneOf(ITEM_RESULTS),
  problem: Nullable(Type.Object({ id: text, params: MapOf(Type.Union([text, Type.Number()])) })),
  msg: text,
})

export const listBatchItems = endpoint({
  method: 'GET',
  path: '/batch/item/list',
  exports: [{ code: 'batch_run:export' }],
  file: { path: '/export/batchRun' },
  access: ['batch_run:view'],
  menu,
  input: ListInput({ batchId: Id(), result: Type.Optional(OneOf(ITEM_RESULTS)) }),
  data: ListData(BatchItem),
  summary: 'Orders of a batch with the result of each',
})

export const batchTemplate = endpoint({
  method: 'GET',
  path: '/export/template/batch',
  access: ['batch_run:start'],
  menu,
  input: Type.Object(
    {
      format: Type.Optional(OneOf(EXPORT_FORMATS)),
      /** Header of the column, in the reader's language. */
      title: Type.Optional(Text(1, 60)),
    },
    strict,
  ),
  // a file response has no envelope
  data: Type.Null(),
  summary: 'Template of the sheet of orders for a batch',
})

const Left = Type.Array(
  Type.Object({ why: OneOf(BATCH_LEFT_OUT), n: int, orderIds: Type.Array(text) }),
)

export const previewBatch = endpoint({
  method: 'POST',
  path: '/batch/preview',
  access: ['batch_run:start'],
  menu,
  input: Type.Object(
    {
      type: OneOf(BATCH_KINDS),
      /** Days of the application, both included; without a list only. */
      dayFrom: Type.Optional(Day()),
      dayTo: Type.Optional(Day()),
      /** Of this product only; without a list only. */
      productId: Type.Optional(Id()),
      /** Pasted order ids; a sheet is sent as a file beside it or instead. */
      list: Type.Optional(Text(0, 200_000)),
      source: OneOf(BATCH_SOURCES),
      ...params,
    },
    strict,
  ),
  files: { name: 'file', least: 0, most: 1, ...BATCH_RUN_SHEET },
  data: Type.Object({
    orderIds: Type.Array(text),
    examples: Type.Array(Type.Object({ orderId: text, before: text, after: text })),
    excluded: Left,
  }),
  audit: 'previewBatch',
  summary: 'Which orders a batch would take, three examples, and why others are left out',
})

export const startBatch = endpoint({
  method: 'POST',
  path: '/batch/start',
  access: ['batch_run:start'],
  menu,
  input: Type.Object(
    {
      type: OneOf(BATCH_KINDS),
      source: OneOf(BATCH_SOURCES),
      orderIds: Type.Array(Id(), { minItems: 1, maxItems: BATCH_RUN_MOST, uniqueItems: true }),
      reason: Text(4, 200),
      ...params,
    },
    strict,
  ),
  data: Type.Object({ batchId: text, count: int }),
  audit: 'startBatch',
  idempotency: 'required',
  summary: 'Starts a batch over the previewed orders; one of a type runs at a time',
})

export const stopBatch = endpoint({
  method: 'POST',
  path: '/batch/stop',
  access: ['batch_run:stop'],
  menu,
  input: Type.Object({ batchId: Id(), reason: Text(4, 200) }, strict),
  data: BatchRow,
  audit: 'stopBatch',
  summary: 'Stops a batch before its next row; what is done stays',
})

export const retryBatch = endpoint({
  method: 'POST',
  path: '/batch/retry',
  access: ['batch_run:start'],
  menu,
  input: Type.Object({ batchId: Id() }, strict),
  data: Type.Object({ batchId: text }),
  audit: 'retryBatch',
  summary: 'Starts a new batch with the rows that failed',
})
