/** Checks an application beyond its schema: check digits and existing calendar days. */
import { INVALID_FIELDS, Problem } from '#shared/kernel/problem.ts'
import { isAadhaar } from './aadhaar.ts'
import type { ReadyApplication } from './customer-store.ts'

/** @throws Problem G-FIELD with a message key per field */
export function checkApplication(input: ReadyApplication): void {
  const fields: Record<string, string> = {}
  if (!isAadhaar(input.customer.aadhaar)) fields['customer.aadhaar'] = 'checkDigit'
  if (!isRealDay(input.customer.birthday)) fields['customer.birthday'] = 'pattern'
  if (Object.keys(fields).length > 0) throw new Problem(INVALID_FIELDS, {}, { fields })
}

function isRealDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) && day >= '1900-01-01'
}
