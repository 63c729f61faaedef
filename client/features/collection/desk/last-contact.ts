import type { Text } from '#client/base/use-text.ts'
import type { CaseDetail } from './case-types.ts'

export interface LastContact {
  what: string
  time: string
  /** Null also where the caller may not see the name. */
  by: string | null
}

/**
 * The result of the case's last contact; or the attempt after it that has none, for it is why the
 * borrower may not be contacted yet. Null when there was neither.
 */
export function lastContactOf(
  { follows: [last], lastAttempt }: Pick<CaseDetail, 'follows' | 'lastAttempt'>,
  t: Text,
): LastContact | null {
  if (lastAttempt !== null && (last === undefined || lastAttempt.time > last.createTime)) {
    const { time, way, byRobot, by } = lastAttempt
    return { what: byRobot ? t('desk.robotCalled') : t(`contactWay.${way}`), time, by }
  }
  if (last === undefined) return null
  const { contactResult, createTime, operatorName } = last
  return { what: t(`contactResult.${contactResult}`), time: createTime, by: operatorName }
}
