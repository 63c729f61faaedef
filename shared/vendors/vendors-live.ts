import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'
import { health } from './vendors-api.ts'

/** The health of a configuration after calls to it; at most one for each in five seconds. */
export const VENDOR_HEALTH = liveEvent(
  'vendor.health',
  Type.Object({ cfgId: Type.String(), ...health }),
)
