/** Customer service: claims a ticket from the queue, answers it, ends it. */
import {
  claimTicket,
  listTickets,
  replyTicket,
  resolveTicket,
} from '#shared/tickets/tickets-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { AtWork, pick } from './person-at-work.ts'

type Ticket = DataOf<typeof claimTicket>

export class Clerk extends AtWork {
  #ticket: Ticket | null = null
  #mine: Ticket[] | null = null

  async step(): Promise<boolean> {
    // Tickets left from before.
    this.#mine ??=
      (await this.call('look', listTickets, { tab: 'mine', progress: 'followingUp', pageSize: 20 }))
        ?.rows ?? []
    this.#ticket ??= this.#mine.shift() ?? null
    if (this.#ticket === null) return this.#claim()
    const { feedbackId, version, firstReplyTime } = this.#ticket
    if (firstReplyTime === null)
      this.#ticket = await this.call('ticket reply', replyTicket, {
        feedbackId,
        version,
        content: 'We have looked into it and write again today.',
      })
    else {
      this.#ticket = null
      await this.call('ticket end', resolveTicket, {
        feedbackId,
        version,
        remark: 'Explained the statement; the customer is content',
      })
    }
    return true
  }

  async #claim(): Promise<boolean> {
    const page = await this.call('look', listTickets, {
      tab: 'queue',
      queue: 'operation',
      progress: 'unprocessed',
      pageSize: 20,
    })
    const next = pick(page?.rows ?? [])
    if (!next) return false
    this.#ticket = await this.call('ticket claim', claimTicket, {
      feedbackId: next.feedbackId,
      version: next.version,
    })
    return true
  }
}
