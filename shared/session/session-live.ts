import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

export const SESSION_REVOKED = liveEvent(
  'session.revoked',
  Type.Object({ sessionId: Type.Union([Type.String(), Type.Null()]), reason: Type.String() }),
)
export const MENU_CHANGED = liveEvent('menu.changed', Type.Object({ roleId: Type.String() }))
export const USER_CHANGED = liveEvent(
  'user.changed',
  Type.Object({ userId: Type.String(), status: Type.String() }),
)
/** The first session of a person opened, or the last one ended. */
export const PRESENCE_CHANGED = liveEvent(
  'presence.changed',
  Type.Object({ userId: Type.String(), online: Type.Boolean() }),
)
