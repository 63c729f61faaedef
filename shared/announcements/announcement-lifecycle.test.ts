import {
  testLifecycle,
  type LifecycleTable,
  type SampleEvents,
} from '#tests/support/lifecycle-table.ts'
import {
  type AnnouncementEvent,
  type AnnouncementEventType,
  announcementLifecycle,
} from './announcement-lifecycle.ts'
import type { AnnouncementState } from './announcement-sets.ts'

const samples = {
  PUBLISH: { type: 'PUBLISH' },
  WITHDRAW: { type: 'WITHDRAW' },
} satisfies SampleEvents<AnnouncementEvent>
const _ = null
const table = {
  PUBLISH: { draft: 'published', published: _, withdrawn: 'published' },
  WITHDRAW: { draft: _, published: 'withdrawn', withdrawn: _ },
} satisfies LifecycleTable<AnnouncementEventType, AnnouncementState>

testLifecycle<AnnouncementState, AnnouncementEvent, AnnouncementEventType>({
  lifecycle: announcementLifecycle,
  samples,
  table,
  closed: { withdrawn: ['PUBLISH'] },
})
