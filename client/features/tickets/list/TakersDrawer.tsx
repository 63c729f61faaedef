/** Switches of automatic distribution: leaders switch anybody, others themselves. */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { TICKET_QUEUES } from '#shared/tickets/ticket-sets.ts'
import { listTakers, setDistribution } from '#shared/tickets/tickets-api.ts'
import { TICKET_ASSIGNED, TICKET_DISTRIBUTION_CHANGED } from '#shared/tickets/tickets-live.ts'
import type { Taker, TicketQueue } from '../ticket-types.ts'

/** @param queue null = the person chooses one */
export function TakersDrawer({
  queue,
  onClose,
}: {
  queue: TicketQueue | null
  onClose: () => void
}): ReactNode {
  const t = useText('tickets')
  const [chosen, setChosen] = useState<TicketQueue>(queue ?? 'operation')
  const { reason: offline } = useConnection()
  const { data, error, refetch } = useQuery(queryOf(listTakers, { queue: chosen }, { quiet: true }))
  const send = useSend(setDistribution)
  useLive([TICKET_DISTRIBUTION_CHANGED.type, TICKET_ASSIGNED.type], () => void refetch())
  const turn = (taker: Taker) =>
    void send.mutateAsync({ userId: taker.userId, status: taker.distributionOn ? 0 : 1 }).then(
      () => refetch(),
      () => refetch(),
    )
  return (
    <SideDrawer isOpen title={t('takers.title')} onClose={onClose}>
      <div className="takers">
        {queue === null && (
          <Segmented
            label={t('col.queue')}
            value={chosen}
            segments={TICKET_QUEUES.map((value) => ({ value, label: t(`queue.${value}`) }))}
            onChange={setChosen}
          />
        )}
        {error && !data ? (
          <ErrorPane error={error} onRetry={() => void refetch()} />
        ) : data?.length === 0 ? (
          <Empty icon="people" reason={t('takers.none')} />
        ) : null}
        {data && data.length > 0 && (
          <table className="plain-table has-controls">
            <thead>
              <tr>
                <th scope="col">{t('takers.col.person')}</th>
                <th scope="col" className="is-right">
                  {t('takers.col.open')}
                </th>
                <th scope="col">{t('takers.col.takes')}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((taker) => (
                <tr key={taker.userId}>
                  <th scope="row">
                    <span
                      className={`dot dot-${taker.online ? 'online' : 'offline'}`}
                      title={t(`ui:presence.${taker.online ? 'online' : 'offline'}`)}
                    />{' '}
                    {taker.userName}
                    <small>
                      {[taker.departmentName, taker.onDuty ? null : t('takers.offDuty')]
                        .filter(Boolean)
                        .join(' · ')}
                    </small>
                  </th>
                  <td className="is-right">
                    {taker.openCount}/{taker.capacity}
                  </td>
                  <td>
                    <label className="check">
                      <input
                        type="checkbox"
                        role="switch"
                        aria-label={`${taker.userName}: ${t('takers.col.takes')}`}
                        checked={taker.distributionOn}
                        disabled={offline !== null || send.isPending}
                        onChange={() => turn(taker)}
                      />
                      {t(taker.distributionOn ? 'ui:yes' : 'ui:no')}
                    </label>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </SideDrawer>
  )
}
