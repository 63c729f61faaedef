/**
 * Which demo users sign in, and in which order: the first twenty, the sign-in limit, are a small
 * floor.
 */
import type { Segment } from '#shared/telemarketing/tele-sets.ts'
import { demoAccounts } from '#gateway/manage/demo/accounts.ts'

export interface StaffMember {
  account: string
  works: 'review' | 'collect' | 'lead' | 'serve' | 'tele' | 'look'
  /** Of a telemarketer. */
  segment?: Segment
  /** May run allocations. */
  runs: boolean
}

const WORK: Readonly<Record<string, StaffMember['works']>> = {
  reviewer: 'review',
  collector: 'collect',
  collection_specialist: 'collect',
  team_leader: 'lead',
  internal_supervisor: 'lead',
  external_supervisor: 'lead',
  manager: 'lead',
  director: 'look',
  customer_service: 'serve',
  quality_inspector: 'look',
  tele_uncertified: 'tele',
  tele_unborrowed: 'tele',
  tele_unreborrowed: 'tele',
  tele_loanfailed: 'tele',
}
const SEGMENT_OF: Readonly<Record<string, Segment>> = {
  tele_uncertified: 'no_certified',
  tele_unborrowed: 'unrequished',
  tele_unreborrowed: 'no_relented',
  tele_loanfailed: 'loan_failed',
}
/** Number in each round of arrivals. */
const ROUND = [
  'reviewer',
  'collector',
  'collector',
  'collector',
  'collector',
  'team_leader',
  'reviewer',
  'collector',
  'collector',
  'internal_supervisor',
  'collection_specialist',
  'customer_service',
  'tele_uncertified',
  'tele_unborrowed',
  'quality_inspector',
  'tele_unreborrowed',
  'tele_loanfailed',
  'external_supervisor',
  'director',
]

/** The first is a manager, who sees everything. @returns at most `count` */
export function staffOf(count: number): StaffMember[] {
  const waiting = new Map<string, string[]>()
  for (const { account } of demoAccounts()) {
    const mark = account.replace(/\d+$/, '')
    if (mark in WORK) waiting.set(mark, [...(waiting.get(mark) ?? []), account])
  }
  const staff: StaffMember[] = []
  const come = (mark: string): void => {
    const account = waiting.get(mark)?.shift()
    if (account !== undefined)
      staff.push({
        account,
        works: WORK[mark] as StaffMember['works'],
        ...(SEGMENT_OF[mark] !== undefined && { segment: SEGMENT_OF[mark] }),
        runs: mark === 'manager' || mark === 'internal_supervisor',
      })
  }
  come('manager')
  while ([...waiting.values()].some((accounts) => accounts.length > 0))
    for (const mark of [...ROUND, 'manager']) come(mark)
  return staff.slice(0, count)
}

export const ALL_STAFF = staffOf(Number.POSITIVE_INFINITY).length
