import type { CaseDetail } from './case-types.ts'

export interface DueNow {
  /** Paise. */
  paise: number
  /** Numbers of the instalments, the oldest due first. */
  instalments: readonly number[]
}

/**
 * What is due of a loan by an IST day: its instalments of later days are not.
 * @returns null when all of it is due
 */
export function dueNow({ plans }: Pick<CaseDetail, 'plans'>, day: string): DueNow | null {
  const open = plans.filter(({ outstanding }) => outstanding > 0)
  const due = open.filter(({ dueTime }) => dueTime <= day)
  if (due.length === 0 || due.length === open.length) return null
  return {
    paise: due.reduce((sum, { outstanding }) => sum + outstanding, 0),
    instalments: due.map(({ serialNo }) => serialNo),
  }
}
