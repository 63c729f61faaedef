/** A telemarketer: the next customer, or one whose follow-up is due; a call within the hours; a result. */
import { FOLLOW_RESULTS, NEEDS_NEXT, type Segment } from '#shared/telemarketing/tele-sets.ts'
import {
  callTask,
  claimTask,
  followTask,
  listTasks,
  taskDetail,
} from '#shared/telemarketing/tele-api.ts'
import { promotionGate } from '#shared/telemarketing/promotion-gate.ts'
import type { WebPerson } from '#tests/support/web-person.ts'
import { AtWork, pick } from './person-at-work.ts'
import type { Tally } from './tally.ts'

const DAY_MS = 86_400_000

export class Telemarketer extends AtWork {
  readonly #segment: Segment
  #taskId: string | null = null
  #due: string[] | null = null

  constructor(person: WebPerson, tally: Tally, segment: Segment) {
    super(person, tally)
    this.#segment = segment
  }

  async step(): Promise<boolean> {
    if (this.#taskId !== null) return this.#work(this.#taskId)
    // what was claimed or is due from before
    this.#due ??= await this.#own()
    const due = this.#due.shift()
    const segment = this.#segment
    this.#taskId = due ?? (await this.call('tele claim', claimTask, { segment }))?.taskId ?? null
    return this.#taskId !== null
  }

  async #own(): Promise<string[]> {
    const page = await this.call('look', listTasks, { segment: this.#segment, pageSize: 50 })
    const now = Date.now()
    return (page?.rows ?? [])
      .filter(
        ({ state, nextFollowTime }) =>
          state === 'claimed' || (nextFollowTime !== null && Date.parse(nextFollowTime) <= now),
      )
      .map(({ taskId }) => taskId)
  }

  async #work(taskId: string): Promise<boolean> {
    const detail = await this.call('look', taskDetail, { taskId })
    const task = detail?.task
    if (!detail || (task?.state !== 'claimed' && task?.state !== 'assigned')) {
      this.#taskId = null
      return true
    }
    const { version, token } = task
    if (detail.openCall === null && promotionGate(detail.promotion, detail.asOf) === null) {
      await this.call('tele call', callTask, { taskId, token, way: 'phone' })
      return true
    }
    this.#taskId = null
    const result = pick(FOLLOW_RESULTS.filter((code) => code < 29)) ?? 28
    await this.call('tele follow-up', followTask, {
      taskId,
      version,
      token,
      result,
      contactWay: 'phone',
      ...(NEEDS_NEXT.includes(result)
        ? { nextFollowTime: new Date(Date.now() + DAY_MS).toISOString() }
        : {}),
      ...(detail.openCall === null ? {} : { callId: detail.openCall.callId }),
    })
    return true
  }
}
