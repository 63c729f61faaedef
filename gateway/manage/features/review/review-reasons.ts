import type { DataOf } from '#shared/kernel/endpoint.ts'
import {
  isQualityFailCode,
  QUALITY_CODES,
  REJECT_CODES,
  rejectKindOf,
} from '#shared/review/reject-reasons.ts'
import type { reviewReasons as reasonsCall } from '#shared/review/review-api.ts'

/** Codes for decisions and quality checks; the client has their labels. */
export function reviewReasons(kind: 'reject' | 'quality'): DataOf<typeof reasonsCall> {
  if (kind === 'reject')
    return REJECT_CODES.map((code) => ({
      code,
      class: rejectKindOf(code),
      labelKey: `review:reject.${code}`,
    }))
  return QUALITY_CODES.map((code) => ({
    code,
    class: isQualityFailCode(code) ? 'fail' : 'pass',
    labelKey: `review:quality.${code}`,
  }))
}
