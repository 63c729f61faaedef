/**
 * A collector: calls a borrower, records the result, takes promises. The rules on contact hours and
 * gaps apply.
 */
import { callBorrower, caseDetail, followCase, listCases } from '#shared/collection/cases-api.ts'
import { CONTACT_RESULTS, isReached } from '#shared/collection/collection-sets.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { AtWork, pick } from './person-at-work.ts'

const HOUR_MS = 3_600_000

export class Collector extends AtWork {
  #cases: string[] = []
  readonly #contacted = new Set<string>()
  #called: { caseId: string; callId: string } | null = null

  async step(): Promise<boolean> {
    if (this.#called) return this.#record(this.#called)
    if (this.#cases.length === 0) await this.#look()
    const caseId = this.#cases.shift()
    return caseId === undefined ? false : this.#dial(caseId)
  }

  async #look(): Promise<void> {
    const page = await this.call('look', listCases, { tab: 'toFollow', pageSize: 200 })
    this.#cases = (page?.rows ?? [])
      .map((row) => row.caseId)
      .filter((caseId) => !this.#contacted.has(caseId))
  }

  async #dial(caseId: string): Promise<boolean> {
    this.#contacted.add(caseId)
    const detail = await this.call('look', caseDetail, { caseId })
    if (!detail) return true
    if (detail.gate !== null) return true
    const call = await this.call('call', callBorrower, {
      caseId,
      contactId: detail.customer.userId,
      way: 'phone',
    })
    if (call) this.#called = { caseId, callId: call.callId }
    return true
  }

  async #record({ caseId, callId }: { caseId: string; callId: string }): Promise<boolean> {
    this.#called = null
    const detail = await this.call('look', caseDetail, { caseId })
    if (!detail) return true
    const { case: row, limits } = detail
    const contactResult = pick(CONTACT_RESULTS.filter((result) => result <= 6)) ?? 3
    const reached = isReached(contactResult)
    const promises =
      reached &&
      row.state === 'allocated' &&
      row.brokenCount < limits.ptpMaxBroken &&
      Math.random() < 0.5
    const now = Date.now()
    const promised = new Date(
      `${addDays(istDay(now), Math.min(1, limits.ptpMaxDays))}T23:30:00+05:30`,
    ).toISOString()
    await this.call(promises ? 'promise' : 'follow-up', followCase, {
      caseId,
      version: row.version,
      token: row.token,
      contactWay: 'phone',
      contactId: detail.customer.userId,
      contactResult,
      callId,
      remark: reached ? 'Spoke about the amount and the date' : 'Did not get through',
      nextFollowTime: new Date(now + 3 * HOUR_MS).toISOString(),
      ...(reached ? { willingness: promises ? 1 : 2, commitmentTime: promised } : {}),
      ...(promises
        ? { ptpTime: promised, ptpAmount: Math.max(1, Math.floor(row.outstanding / 2)) }
        : {}),
    })
    return true
  }
}
