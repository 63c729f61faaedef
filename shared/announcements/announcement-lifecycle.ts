/** The states of an announcement. */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { AnnouncementState } from './announcement-sets.ts'

export type AnnouncementEvent = { type: 'PUBLISH' } | { type: 'WITHDRAW' }
export type AnnouncementEventType = AnnouncementEvent['type']

const machine = setup({
  types: { events: {} as AnnouncementEvent, tags: {} as 'closed' },
}).createMachine({
  id: 'announcement',
  initial: 'draft',
  states: {
    draft: { on: { PUBLISH: { target: 'published' } } },
    published: { on: { WITHDRAW: { target: 'withdrawn' } } },
    withdrawn: { tags: ['closed'], on: { PUBLISH: { target: 'published' } } },
  },
})

export const announcementLifecycle: Lifecycle<AnnouncementState, AnnouncementEvent> = lifecycle<
  AnnouncementState,
  typeof machine
>('announcement', machine)
