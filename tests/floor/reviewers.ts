/** A reviewer: claims, opens, decides; one of fifteen goes back to the queue. */
import {
  claimReviews,
  decideReview,
  listReviews,
  openReview,
  releaseReviews,
} from '#shared/review/review-api.ts'
import { AtWork } from './person-at-work.ts'

interface Item {
  reviewId: string
  version: number
  token: number
  isOpen: boolean
}

export class Reviewer extends AtWork {
  #items: Item[] = []

  /** Continues with what was left from before. */
  async begin(): Promise<void> {
    const { rows } = await this.person.call(listReviews, { tab: 'mine' })
    this.#items = rows
      .filter(({ state }) => state === 'toAudit' || state === 'underReview')
      .map(({ reviewId, version, token, state }) => ({
        reviewId,
        version,
        token,
        isOpen: state === 'underReview',
      }))
  }

  async step(): Promise<boolean> {
    const item = this.#items[0]
    if (!item) return this.#claim()
    if (!item.isOpen) return this.#open(item)
    this.#items.shift()
    if (Math.random() < 1 / 15)
      await this.call('release', releaseReviews, {
        reviewIds: [item.reviewId],
        reason: 'A colleague knows this bank',
        token: item.token,
      })
    else {
      const isPassed = Math.random() < 0.7
      await this.call('decision', decideReview, {
        reviewId: item.reviewId,
        version: item.version,
        token: item.token,
        result: isPassed ? 'passed' : 'failed',
        ...(isPassed ? {} : { rejectCode: 'A01' as const }),
      })
    }
    return true
  }

  async #claim(): Promise<boolean> {
    const claimed = await this.call('claim', claimReviews, { count: 3 })
    this.#items = (claimed?.ok ?? []).map(({ reviewId, version, token }) => ({
      reviewId,
      version,
      token,
      isOpen: false,
    }))
    return this.#items.length > 0
  }

  async #open(item: Item): Promise<boolean> {
    const opened = await this.call('open', openReview, {
      reviewId: item.reviewId,
      version: item.version,
      token: item.token,
    })
    if (opened) Object.assign(item, { version: opened.version, token: opened.token, isOpen: true })
    else this.#items.shift()
    return true
  }
}
