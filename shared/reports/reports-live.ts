import Type from 'typebox'
import { liveEvent } from '#shared/kernel/live.ts'

/** Days of a rollup were filled with other figures. */
export const REPORT_REFRESHED = liveEvent(
  'report.refreshed',
  Type.Object({ report: Type.String(), asOf: Type.String() }),
)
