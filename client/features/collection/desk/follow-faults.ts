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

/** Rules over several fields; the server checks the same. */
export function faultsOf(
  values: Unfinished<Values>,
  outstanding: number,
  ptpMaxDays: number,
  harshWords: readonly string[],
): Faults {
  const faults: Faults = {}
  const now = serverNow()
  const reached = reaches(values)
  const fault = (name: string, params: Record<string, string | number> = {}) => ({
    key: `collection:desk.fault.${name}`,
    params,
  })
  if (reached && values.willingness == null)
    faults.willingness = { key: 'ui:fault.required', params: {} }
  const willing = isWilling(values)
  if (reached && values.commitmentTime == null && !(willing && values.ptpTime != null))
    faults.commitmentTime = { key: 'ui:fault.required', params: {} }
  if (Date.parse(values.nextFollowTime) <= now) faults.nextFollowTime = fault('future')
  if (reached && willing && (values.ptpTime != null || values.ptpAmount != null)) {
    if (values.ptpTime == null) faults.ptpTime = { key: 'ui:fault.required', params: {} }
    else if (Date.parse(values.ptpTime) <= now) faults.ptpTime = fault('future')
    else if (istDay(values.ptpTime) > addDays(istDay(now), ptpMaxDays))
      faults.ptpTime = fault('tooFar', { days: ptpMaxDays })
    if (values.ptpAmount == null) faults.ptpAmount = { key: 'ui:fault.required', params: {} }
    else if (values.ptpAmount > outstanding) faults.ptpAmount = fault('aboveOutstanding')
  }
  if (values.asSaid !== true && harshWordsIn(values.remark ?? '', harshWords).length > 0)
    faults.remark = fault('harsh')
  return faults
}
