import Type from 'typebox'
import { endpoint, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { CARD_KEYS } from './workbench-cards.ts'

/** The workbench (api.md 1, screens.md 1.4). */
export const workbench = endpoint({
  method: 'GET',
  path: '/report/workbench',
  access: 'any',
  // asked again by what happens on the floor: nobody is at work because others are
  passive: true,
  input: Type.Object({}),
  data: Type.Object({
    /** Figures of the caller's desk inside his scope; `target` is the list each one counts. A count stops one above the cap of lists. */
    cards: Type.Array(
      Type.Object({
        key: OneOf(CARD_KEYS),
        value: Nullable(Type.Integer()),
        target: Type.String(),
      }),
    ),
    /** Work that waits for the caller behind an entry of his menu; an entry that never has any is left out. */
    todo: Type.Array(Type.Object({ menu: Type.String(), count: Type.Integer() })),
    /** Announcements the caller was not shown since they were published. */
    notices: Type.Array(
      Type.Object({ noticeId: Type.String(), title: Type.String(), publishTime: Type.String() }),
    ),
  }),
  summary:
    "The figures of the caller's desk, what waits for him, and announcements he has not read",
})
