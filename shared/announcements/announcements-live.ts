import Type from 'typebox'
import { MapOf } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** A notification was written, or was read in another tab: `kind` is then `read`. */
export const NOTIFICATION_CHANGED = liveEvent(
  'notification.changed',
  Type.Object({
    kind: Type.String(),
    titleKey: Type.String(),
    params: MapOf(Type.Union([Type.String(), Type.Number()])),
    route: Type.String(),
  }),
)

/** An announcement was published or withdrawn. */
export const ANNOUNCEMENT_PUBLISHED = liveEvent(
  'notice.published',
  Type.Object({ noticeId: Type.String(), popCondition: Type.String() }),
)
export const ANNOUNCEMENT_WITHDRAWN = liveEvent(
  'notice.withdrawn',
  Type.Object({ noticeId: Type.String(), popCondition: Type.String() }),
)
