import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

/** Something that is set up and read everywhere was saved or is to be read again (api.md 26). */
export const CONFIG_REFRESHED = liveEvent(
  'config.refreshed',
  Type.Object({ area: Type.String(), ids: Type.Array(Type.String()) }),
)
