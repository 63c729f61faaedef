/** The report as it is shown, as a file each morning. */
import './morning.css'
import { PopoverNext } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePage } from '#client/session/page.tsx'
import { queryKeyOf, queryOf, useSend } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import type { MorningSlot } from '#client/ui/grid/grid-slots.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { exportCode } from '#shared/kernel/permission.ts'
import {
  deleteSubscription,
  listSubscriptions,
  saveSubscription,
} from '#shared/reports/subscriptions-api.ts'

export function MorningMenu(props: MorningSlot): ReactNode {
  const { endpoint, input } = props.source
  const { btnPermissions } = usePage()
  const t = useText('reports')
  const [open, setOpen] = useState(false)
  if (exportCode(endpoint, new Set(btnPermissions), input) === null) return null
  return (
    <PopoverNext
      isOpen={open}
      onInteraction={setOpen}
      placement="bottom-end"
      content={<Choice {...props} />}
    >
      <ActionButton
        variant="minimal"
        icon="envelope"
        aria-label={t('morning.button')}
        title={t('morning.button')}
        aria-haspopup="dialog"
      />
    </PopoverNext>
  )
}

function Choice({ source, title, days, columns }: MorningSlot): ReactNode {
  const t = useText('reports')
  const client = useQueryClient()
  const { reason: offline } = useConnection()
  const { data, error, refetch } = useQuery(queryOf(listSubscriptions, {}, { quiet: true }))
  const [byEmail, setByEmail] = useState(false)
  const start = useSend(saveSubscription)
  const stop = useSend(deleteSubscription)
  const { dateFrom: _from, dateTo: _to, ...filters } = source.input
  // a button that is offered before it is known what runs already would move, or be the wrong one
  if (data === undefined)
    return (
      <div className="morning" role="dialog" aria-label={t('morning.title')}>
        <h3>{t('morning.title')}</h3>
        {error === null ? (
          <span
            className="morning-blank bp6-skeleton"
            role="status"
            aria-label={t('ui:grid.loading')}
          />
        ) : (
          <ErrorPane error={error} onRetry={() => void refetch()} />
        )}
      </div>
    )
  const { rows, noEmail } = data
  const own = rows.find(
    (row) => row.list === source.endpoint.path && sameFilters(row.filters, filters),
  )
  const readAgain = () => client.invalidateQueries({ queryKey: queryKeyOf(listSubscriptions, {}) })
  const end = async (subscriptionId: string) => {
    await stop.mutateAsync({ subscriptionId })
    await readAgain()
  }
  const begin = async () => {
    await start.mutateAsync({
      list: source.endpoint.path,
      filters: filters as InputOf<typeof saveSubscription>['filters'],
      columns: columns().map((column) => ({ ...column, field: [...column.field] })),
      title,
      days,
      byEmail: byEmail && noEmail === null,
    })
    await readAgain()
    void showMessage({ intent: 'success', message: t('morning.started'), key: 'morning' })
  }
  return (
    <div className="morning" role="dialog" aria-label={t('morning.title')} ref={focusOpened}>
      <h3>{t('morning.title')}</h3>
      <p>{t('morning.about', { days: own?.days ?? days })}</p>
      {own === undefined ? (
        <label className="check">
          <input
            type="checkbox"
            checked={byEmail && noEmail === null}
            disabled={noEmail !== null}
            onChange={(event) => setByEmail(event.target.checked)}
          />
          {t('morning.byEmail')}
        </label>
      ) : null}
      {own === undefined || own.byEmail ? (
        <small>{t(noEmail === null ? 'morning.emailHelp' : `morning.noEmail.${noEmail}`)}</small>
      ) : null}
      {own === undefined ? (
        <ActionButton
          intent="primary"
          text={t('morning.start')}
          disabledReason={offline}
          onClick={begin}
        />
      ) : (
        <ActionButton
          text={t('morning.stop')}
          disabledReason={offline}
          onClick={() => end(own.subscriptionId)}
        />
      )}
      {rows.some((row) => row !== own) ? (
        <>
          <h4>{t('morning.others')}</h4>
          <ul>
            {rows
              .filter((row) => row !== own)
              .map((row) => (
                <li key={row.subscriptionId}>
                  <span>{row.title}</span>
                  <ActionButton
                    size="small"
                    variant="minimal"
                    text={t('morning.stop')}
                    aria-label={`${t('morning.stop')}: ${row.title}`}
                    disabledReason={offline}
                    onClick={() => end(row.subscriptionId)}
                  />
                </li>
              ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

/** The address may leave out what is empty, and order does not matter. */
function sameFilters(a: Readonly<Record<string, unknown>>, b: object): boolean {
  const text = (filters: object) =>
    JSON.stringify(
      Object.entries(filters)
        .filter(([, value]) => value !== undefined)
        .toSorted(([one], [two]) => (one < two ? -1 : 1)),
    )
  return text(a) === text(b)
}
