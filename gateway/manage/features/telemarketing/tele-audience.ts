import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { segmentRoom } from './tele-events.ts'
import { segmentsOf } from './tele-scope.ts'

/** Events of a segment go to everybody who has its list: they carry ids, codes and staff names. */
export const TELE_AUDIENCE: Audience = {
  rooms: (actor) => segmentsOf(actor).map(segmentRoom),
}
