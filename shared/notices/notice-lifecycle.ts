/** An announcement from its draft on (screens.md 0.3). */
import { setup } from 'xstate'
import { lifecycle, type Lifecycle } from '#shared/kernel/lifecycle.ts'
import type { NoticeState } from './notice-sets.ts'

export type NoticeEvent = { type: 'PUBLISH' } | { type: 'WITHDRAW' }
export type NoticeEventType = NoticeEvent['type']

const machine = setup({ types: { events: {} as NoticeEvent, tags: {} as 'closed' } }).createMachine(
  {
    id: 'notice',
    initial: 'draft',
    states: {
      draft: { on: { PUBLISH: { target: 'published' } } },
      published: { on: { WITHDRAW: { target: 'withdrawn' } } },
      withdrawn: { tags: ['closed'], on: { PUBLISH: { target: 'published' } } },
    },
  },
)

export const noticeLifecycle: Lifecycle<NoticeState, NoticeEvent> = lifecycle<
  NoticeState,
  typeof machine
>('notice', machine)
