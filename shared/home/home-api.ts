import Type from 'typebox'
import { endpoint, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { CARD_KEYS } from './workbench-cards.ts'

/** The workbench. */
export const workbench = endpoint({
  method: 'GET',
  path: '/report/workbench',
  access: 'any',
  // fetched again after live events, so it must not count as the person's own activity
  passive: true,
  input: Type.Object({}),
  data: Type.Object({
    /**
     * Figures within the caller's scope; `target` is the list each one counts. A count stops one
     * above the cap of lists.
     */
    cards: Type.Array(
      Type.Object({
        key: OneOf(CARD_KEYS),
        /** The menu entry of the rows, where the caller has the same figure in several. */
        part: Nullable(Type.String()),
        value: Nullable(Type.Integer()),
        target: Type.String(),
      }),
    ),
    /** Pending work of the caller by menu entry; entries that never have any are left out. */
    todo: Type.Array(Type.Object({ menu: Type.String(), count: Type.Integer() })),
    /** Announcements not shown to the caller since they were published. */
    notices: Type.Array(
      Type.Object({ noticeId: Type.String(), title: Type.String(), publishTime: Type.String() }),
    ),
  }),
  summary: "The caller's figures, pending work and unread announcements",
})
