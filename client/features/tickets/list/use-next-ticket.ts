/** Next ticket: the server claims the one that is due first, and it opens. */
import { useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { claimNextTicket } from '#shared/tickets/tickets-api.ts'
import type { TicketQueue, TicketRow } from '../ticket-types.ts'

export function useNextTicket(
  queue: TicketQueue | null,
  onClaimed: (row: TicketRow) => void,
): { isClaiming: boolean; claimNext: () => void } {
  const t = useText('tickets')
  const send = useSend(claimNextTicket, { quiet: true })
  const [isClaiming, setClaiming] = useState(false)
  async function claimNext(): Promise<void> {
    if (isClaiming) return
    setClaiming(true)
    try {
      onClaimed(await send.mutateAsync(queue === null ? {} : { queue }))
      void showMessage({ intent: 'success', message: t('done.claimed'), key: 'ticket-claimed' })
    } catch (error) {
      const message = messageOf(error)
      void showMessage({ intent: 'warning', message, key: `ticket-next:${message}` })
    } finally {
      setClaiming(false)
    }
  }
  return { isClaiming, claimNext: () => void claimNext() }
}
