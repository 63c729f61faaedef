import {
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import { type NoticeEvent, type NoticeEventType, noticeLifecycle } from './notice-lifecycle.ts'
import type { NoticeState } from './notice-sets.ts'

const samples = {
  PUBLISH: { type: 'PUBLISH' },
  WITHDRAW: { type: 'WITHDRAW' },
} satisfies SampleEvents<NoticeEvent>
const _ = null
const table = {
  PUBLISH: { draft: 'published', published: _, withdrawn: 'published' },
  WITHDRAW: { draft: _, published: 'withdrawn', withdrawn: _ },
} satisfies LifecycleTable<NoticeEventType, NoticeState>

testLifecycle<NoticeState, NoticeEvent, NoticeEventType>({
  lifecycle: noticeLifecycle,
  samples,
  table,
  closed: { withdrawn: ['PUBLISH'] },
})
