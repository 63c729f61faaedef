import Type from 'typebox'
import { MapOf } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** News arrived (written with the notice itself), or was read in another tab: `kind` is then `read`. */
export const NOTIFICATION_CHANGED = liveEvent(
  'notification.changed',
  Type.Object({ kind: Type.String(), titleKey: Type.String(), params: MapOf(Type.Union([Type.String(), Type.Number()])), route: Type.String() }),
)
