import type { DataOf } from '#shared/kernel/endpoint.ts'
import type { collectionRules } from './rules-api.ts'

export type Rules = Omit<DataOf<typeof collectionRules>, 'version'>

/**
 * Hours in which the law allows contact with a borrower (IST; RBI circular of 12 Aug 2022). The
 * lender can only narrow them.
 */
export const LAWFUL_HOURS = { from: '08:00', to: '19:00' } as const

/**
 * Rules over several fields: hours within the law and in order, limits that contradict each other,
 * a day opened after its first allocation. `HH:MM` texts of equal length compare as times.
 * @returns field → message key; empty when the rules are consistent
 */
export function ruleFaults(rules: Rules): Partial<Record<keyof Rules, string>> {
  const faults: Partial<Record<keyof Rules, string>> = {}
  const first = rules.allocationTimes.toSorted()[0]
  if (rules.callFrom < LAWFUL_HOURS.from || rules.callFrom >= LAWFUL_HOURS.to)
    faults.callFrom = 'collection:rules.fault.lawful'
  if (rules.callTo > LAWFUL_HOURS.to) faults.callTo = 'collection:rules.fault.lawful'
  else if (rules.callTo <= rules.callFrom) faults.callTo = 'collection:rules.fault.afterFrom'
  if (rules.maxContactsPerWeek < rules.maxContactsPerDay)
    faults.maxContactsPerWeek = 'collection:rules.fault.perWeek'
  if (first !== undefined && rules.stageRunTime >= first)
    faults.stageRunTime = 'collection:rules.fault.beforeAllocation'
  if (first !== undefined && rules.topUpMinutes > 0 && rules.topUpUntil <= first)
    faults.topUpUntil = 'collection:rules.fault.topUpUntil'
  if (rules.perStage.some((stage) => stage.ptpMaxDays > rules.ptpMaxDays))
    faults.perStage = 'collection:rules.fault.stagePromise'
  return faults
}
