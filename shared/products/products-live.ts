import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

/** Shared configuration was saved, or must be refetched. */
export const CONFIG_REFRESHED = liveEvent(
  'config.refreshed',
  Type.Object({ area: Type.String(), ids: Type.Array(Type.String()) }),
)
