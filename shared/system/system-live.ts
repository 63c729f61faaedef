import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

export const DICT_CHANGED = liveEvent(
  'dict.changed',
  Type.Object({ typeCodes: Type.Array(Type.String()) }),
)
