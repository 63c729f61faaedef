/**
 * Claiming a ticket: the row is marked at once; the server's answer confirms it or names the person
 * who was faster.
 */
import { useText } from '#client/base/use-text.ts'
import { useBusyIds } from '#client/live/use-busy-ids.ts'
import { call } from '#client/session/call.ts'
import { CallError, messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { announce } from '#client/ui/feedback/announce.ts'
import { claimTicket } from '#shared/tickets/tickets-api.ts'
import type { TicketRow } from '../ticket-types.ts'

export interface Claim {
  busyIds: ReadonlySet<string>
  /** The claimed row; null when somebody was faster or the request failed, which has been shown. */
  claim: (row: TicketRow) => Promise<TicketRow | null>
}

export function useClaim(takeRow: (row: TicketRow) => void): Claim {
  const t = useText('tickets')
  const { busyIds, busyWhile } = useBusyIds()
  async function claim(row: TicketRow): Promise<TicketRow | null> {
    if (busyIds.has(row.feedbackId)) return null
    return busyWhile([row.feedbackId], () => send(row))
  }
  async function send({ feedbackId, version }: TicketRow): Promise<TicketRow | null> {
    try {
      const mine = await call(claimTicket, { feedbackId, version }, { quiet: true })
      takeRow(mine)
      void showMessage({ intent: 'success', message: t('done.claimed'), key: 'ticket-claimed' })
      return mine
    } catch (error) {
      const fresh = error instanceof CallError ? (error.data as TicketRow | null) : null
      if (fresh?.feedbackId === feedbackId) takeRow(fresh)
      const text = messageOf(error)
      announce(text)
      void showMessage({
        intent:
          error instanceof CallError && (error.code === 400 || error.code === 409)
            ? 'warning'
            : 'danger',
        message: text,
        key: `ticket-claim:${text}`,
      })
      return null
    }
  }
  return { busyIds, claim }
}
