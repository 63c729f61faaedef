/** Sends one piece of work to the vendors of an app, one after the other until one answers. */
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { admission, type CallOutcome } from './breaker.ts'
import { candidatesFor, type Work } from './choose-vendor.ts'
import { type OpenConfiguration, openConfiguration } from './configurations.ts'
import { watchedCall } from './watched-call.ts'

/** An answer, and who gave it. */
export interface Answered<Answer> {
  cfgId: string
  vendorCode: string
  answer: Answer
}

export interface Question<Vendor, Answer> {
  ask(vendor: Vendor): Promise<Answer>
  /** Judges the vendor by its answer. */
  judge(answer: Answer): Pick<CallOutcome, 'outcome' | 'error'>
  /** Whether another vendor may be asked after this error. */
  mayPass(error: unknown): boolean
}

export interface VendorsOfKind<Vendor> {
  /**
   * Null: the app has no vendor of this kind.
   * @throws Error when none of them can be asked, or one failed after which no other may be
   */
  ask<Answer>(work: Work, question: Question<Vendor, Answer>): Promise<Answered<Answer> | null>
}

export function vendorsOfKind<Vendor>(
  context: AppContext,
  make: (configuration: OpenConfiguration) => Vendor,
): VendorsOfKind<Vendor> {
  const { kysely } = context.database
  // address and keys of a configuration never change, so it is opened once
  const opened = new Map<string, Vendor>()

  async function vendorOf(cfgId: string): Promise<Vendor> {
    const known = opened.get(cfgId)
    if (known !== undefined) return known
    const configuration = await openConfiguration(kysely, context.secrets, cfgId)
    if (configuration === null) throw new TypeError(`configuration ${cfgId} does not exist`)
    const vendor = make(configuration)
    opened.set(cfgId, vendor)
    return vendor
  }
  return {
    async ask(work, { ask, judge, mayPass }) {
      const candidates = await candidatesFor(kysely, work)
      if (candidates.length === 0) return null
      for (const { cfgId, vendorCode } of candidates) {
        if ((await admission(kysely, cfgId)) === 'no') continue
        const vendor = await vendorOf(cfgId)
        try {
          const answer = await watchedCall(context, cfgId, () => ask(vendor), judge)
          return { cfgId, vendorCode, answer }
        } catch (error) {
          if (!mayPass(error)) throw error
        }
      }
      throw new Error('no vendor of the app can be reached')
    },
  }
}
