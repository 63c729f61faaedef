import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { PROMISING } from '#shared/collection/case-lifecycle.ts'
import type { followCase } from '#shared/collection/cases-api.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isReached } from '#shared/collection/collection-sets.ts'
import { harshWordsIn } from '#shared/collection/remark-linter.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'

export type Values = Omit<InputOf<typeof followCase>, 'contactResult'> & {
  contactResult: InputOf<typeof followCase>['contactResult'] | null
}

export function reaches({ contactResult }: Pick<Unfinished<Values>, 'contactResult'>): boolean {
  return contactResult !== null && isReached(contactResult)
}

export function isWilling({ willingness }: Pick<Unfinished<Values>, 'willingness'>): boolean {
  return willingness != null && PROMISING.includes(willingness)
}

/**
 * Who was reached is asked for a willingness and a time, which may be that of the promise; half a
 * promise needs its other half.
 */
export function neededBy(
  values: Unfinished<Values>,
): ('willingness' | 'commitmentTime' | 'ptpTime' | 'ptpAmount')[] {
  if (!reaches(values)) return []
  const isPromising = isWilling(values) && (values.ptpTime != null || values.ptpAmount != null)
  return [
    'willingness',
    ...(isPromising && values.ptpTime != null ? [] : (['commitmentTime'] as const)),
    ...(isPromising ? (['ptpTime', 'ptpAmount'] as const) : []),
  ]
}

/** Rules over several fields; the server checks the same. */
export function faultsOf(
  values: Unfinished<Values>,
  outstanding: number,
  ptpMaxDays: number,
  harshWords: readonly string[],
): Faults {
  const faults: Faults = {}
  const now = serverNow()
  const fault = (name: string, params: Record<string, string | number> = {}) => ({
    key: `collection:desk.fault.${name}`,
    params,
  })
  if (Date.parse(values.nextFollowTime) <= now) faults.nextFollowTime = fault('future')
  if (reaches(values) && isWilling(values)) {
    const { ptpTime, ptpAmount } = values
    if (ptpTime && Date.parse(ptpTime) <= now) faults.ptpTime = fault('future')
    else if (ptpTime && istDay(ptpTime) > addDays(istDay(now), ptpMaxDays))
      faults.ptpTime = fault('tooFar', { days: ptpMaxDays })
    if ((ptpAmount ?? 0) > outstanding) faults.ptpAmount = fault('aboveOutstanding')
  }
  if (values.asSaid !== true && harshWordsIn(values.remark ?? '', harshWords).length > 0)
    faults.remark = fault('harsh')
  return faults
}
