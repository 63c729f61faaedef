/**
 * The product beside the model: manage with its database, the same users, and a restart that keeps
 * only the database.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { Envelope } from '#shared/kernel/problem.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import {
  claimReviews,
  decideReview,
  openReview,
  releaseReviews,
  renewReview,
  takeOverReview,
} from '#shared/review/review-api.ts'
import { decideHandover, requestHandover } from '#shared/review/review-handover-api.ts'
import { createLogger } from '#gateway/kernel/logger.ts'
import type { Manage } from '#gateway/manage/core.ts'
import type { Database } from '#gateway/manage/db/client.ts'
import { syncRolesAndMenus } from '#gateway/manage/features/session/sync-menus.ts'
import { buildManage } from '#gateway/manage/manage.ts'
import { makeReview, runOut } from '#tests/factories/reviews.ts'
import { testDatabase } from '#tests/support/database.ts'
import { addAccounts, PASSWORD, request } from '#tests/support/manage.ts'
import { login } from '#shared/session/session-api.ts'
import { ITEMS, LEADER, REVIEWERS, type Seen, type Step, type Who } from './claim-model.ts'

const reason = 'as the model says'

export interface StoredItem {
  state: string
  reviewer: Who | null
  token: number
  version: number
  pending: boolean
}

export class ClaimSite {
  readonly database: Database
  readonly #closeDatabase: () => Promise<void>
  readonly #tokens = new Map<Who, string>()
  readonly #ids = new Map<Who, string>()
  #manage: Manage | null = null
  /** The first one: factories count their rows by it, whatever runs now. */
  #maker: Manage | null = null
  #reviews: string[] = []
  #runs = 0

  private constructor(database: Database, closeDatabase: () => Promise<void>) {
    this.database = database
    this.#closeDatabase = closeDatabase
  }

  static async open(): Promise<ClaimSite> {
    const { database, close } = await testDatabase()
    const site = new ClaimSite(database, close)
    await site.restart()
    site.#maker = site.manage
    await syncRolesAndMenus(database, site.manage.parts.menus)
    await addAccounts(database)
    // Two thousand histories take longer than a token is valid.
    await sql`
      update sys_config set value = '86400' where code in ('session.idleMinutes', 'session.renewMinutes')`.execute(
      database.kysely,
    )
    for (const who of [...REVIEWERS, LEADER] as Who[]) {
      const answer = (
        await request(site.manage.app, login, { username: who, password: PASSWORD }, {})
      ).json<Envelope<{ token: string }>>()
      site.#tokens.set(who, answer.data.token)
      const { rows } = await sql<{
        id: string
      }>`select u.id from sys_user u where u.account = ${who}`.execute(database.kysely)
      site.#ids.set(who, rows[0]?.id ?? '')
    }
    return site
  }

  get manage(): Manage {
    if (!this.#manage) throw new Error('the site is not open')
    return this.#manage
  }

  async close(): Promise<void> {
    await this.manage.close()
    await this.#closeDatabase()
  }

  /**
   * Another process on the same database: caches, timers and connections of the old one are gone.
   */
  async restart(): Promise<void> {
    await this.#manage?.close()
    this.#manage = await buildManage(
      {
        database: this.database,
        masterKey: Buffer.alloc(32, 1),
        log: createLogger('error'),
        version: { version: 'test', commit: 'test', build: 'test' },
        internalSecret: randomUUID(),
        production: false,
        checkAnswers: true,
      },
      { kind: 'sandbox', delayMs: [0, 0] },
    )
  }

  /** New reviews, queued before those of earlier runs. */
  async begin(): Promise<void> {
    this.#runs += 1
    this.#reviews = []
    for (let n = 0; n < ITEMS; n += 1)
      this.#reviews.push(
        (await makeReview(this.#maker as Manage, { state: 'unclaimed', priority: this.#runs }))
          .reviewId,
      )
  }

  /** Ends all claims. */
  async end(): Promise<void> {
    for (const id of this.#reviews)
      await sql`
        update review set idle_until = clock_timestamp() - interval '1 second' where id = ${id}
          and idle_until is not null`.execute(this.database.kysely)
    await this.#sweep()
  }

  /** @returns `ok` or the id of the refusal */
  async perform({ kind, who, item, to }: Step, seen: Seen): Promise<string> {
    const reviewId = this.#reviews[item] as string
    const { version, token } = seen
    switch (kind) {
      case 'claim':
        return this.#ask(who, claimReviews, { reviewIds: [reviewId] })
      case 'claimNext':
        return this.#ask(who, claimReviews, { count: 1 })
      case 'open':
        return this.#ask(who, openReview, { reviewId, version, token })
      case 'renew':
        return this.#ask(who, renewReview, {
          reviewId,
          token,
          lastInputTime: new Date().toISOString(),
        })
      case 'release':
        return this.#ask(who, releaseReviews, { reviewIds: [reviewId], reason, token })
      case 'decide':
        return this.#ask(who, decideReview, {
          reviewId,
          version,
          token,
          result: 'failed',
          rejectCode: 'A01',
        })
      case 'askHandover':
        return this.#ask(who, requestHandover, {
          reviewIds: [reviewId],
          toUserId: this.#ids.get(to),
          reason,
        })
      case 'approve':
        return this.#ask(who, decideHandover, {
          handoverIds: [await this.#handover(reviewId)],
          result: 'approved',
        })
      case 'reject':
        return this.#ask(who, decideHandover, {
          handoverIds: [await this.#handover(reviewId)],
          result: 'rejected',
          reason,
        })
      case 'cancel':
        return this.#ask(who, decideHandover, {
          handoverIds: [await this.#handover(reviewId)],
          result: 'cancelled',
        })
      case 'takeOver':
        return this.#ask(who, takeOverReview, {
          reviewId,
          version: (await this.stored())[item]?.version,
          reason,
        })
      case 'runOut':
        await runOut(this.manage, reviewId)
        return 'ok'
      case 'sweep':
        await this.#sweep()
        return 'ok'
      case 'look':
        return 'ok'
      case 'restart':
        await this.restart()
        return 'ok'
    }
  }

  async stored(): Promise<StoredItem[]> {
    const { rows } = await sql<StoredItem & { id: string; account: Who | null }>`
      select r.id, r.state, u.account, r.token, r.version, r.handover_state is not distinct
        from 'pending' as pending
      from review r left join sys_user u on u.id = r.reviewer_id where r.id = any(${this.#reviews})
        order by r.id`.execute(this.database.kysely)
    return rows.map(({ state, account, token, version, pending }) => ({
      state,
      reviewer: account,
      token,
      version,
      pending,
    }))
  }

  async #sweep(): Promise<void> {
    this.manage.context.wakeSchedule('leaseSweep')
    await this.manage.settle()
  }

  async #ask(who: Who, e: Endpoint, input: Record<string, unknown>): Promise<string> {
    const answer = (
      await request(this.manage.app, e, input, { authorization: this.#tokens.get(who) ?? '' })
    ).json<Envelope<Partial<BulkResult>>>()
    if (answer.code !== 200) return answer.problem?.id ?? String(answer.code)
    return answer.data.failed?.[0]?.problem ?? 'ok'
  }

  async #handover(reviewId: string): Promise<string> {
    const { rows } = await sql<{
      id: string
    }>`select h.id from review_handover h where h.review_id = ${reviewId} order by h.id desc limit 1`.execute(
      this.database.kysely,
    )
    return rows[0]?.id ?? ''
  }
}
