import Type from 'typebox'
import { MapOf } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** News arrived (written with the notice itself), or was read in another tab: `kind` is then `read`. */
export const NOTIFICATION_CHANGED = liveEvent(
  'notification.changed',
  Type.Object({
    kind: Type.String(),
    titleKey: Type.String(),
    params: MapOf(Type.Union([Type.String(), Type.Number()])),
    route: Type.String(),
  }),
)

/** An announcement is shown from now on, or no longer. */
export const NOTICE_PUBLISHED = liveEvent(
  'notice.published',
  Type.Object({ noticeId: Type.String(), popCondition: Type.String() }),
)
export const NOTICE_WITHDRAWN = liveEvent(
  'notice.withdrawn',
  Type.Object({ noticeId: Type.String(), popCondition: Type.String() }),
)
