/** The last proof of the ledger: the rules checked, the account balances, and earlier proofs. */
import { useLanguage, useText } from '#client/base/use-text.ts'
import './books.css'
import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { showMessage } from '#client/session/messages.ts'
import { Permit } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { durationText } from '#client/ui/value/duration-text.ts'
import { formatCount, formatIst } from '#client/ui/value/ist-format.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { JOB_CHANGED } from '#shared/jobs/jobs-live.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { ledgerProof, proveLedger } from '#shared/repayments/ledger-proof-api.ts'
import { Rule } from './Rule.tsx'

type Proofs = DataOf<typeof ledgerProof>
type Last = NonNullable<Proofs['last']>

const TONES = { running: 'info', done: 'good', cancelled: 'neutral', failed: 'bad' } as const

export function LedgerBooks(): ReactNode {
  const t = useText('repayments')
  // loaded with the page, so that the page does not flicker when the first sentence is drawn
  useText('proof', 'ledger')
  const { reason: offline } = useConnection()
  const { data, error, refetch } = useQuery(queryOf(ledgerProof, {}, { quiet: true }))
  const prove = useSend(proveLedger)
  // the user who started the job receives its events; others see it when they come back
  useLive([JOB_CHANGED.type], (events) => {
    if (events.some((event) => event.data.type === 'ledger.proof')) void refetch()
  })
  if (!data)
    return error ? (
      <ErrorPane error={error} onRetry={() => void refetch()} />
    ) : (
      <div className="bp6-skeleton books-blank" role="status" aria-label={t('ui:grid.loading')} />
    )
  const isRunning = data.proofs[0]?.state === 'running'
  // the call layer shows a refusal where it is sent
  const ask = () =>
    prove.mutateAsync({}).then(
      () => {
        void showMessage({ intent: 'success', message: t('books.asked'), key: 'books' })
        void refetch()
      },
      () => undefined,
    )
  return (
    <div className="books">
      <div className="books-head">
        <p>{t('books.means')}</p>
        <Permit codes={proveLedger.access}>
          <ActionButton
            intent="primary"
            icon="endorsed"
            text={t('books.prove')}
            disabledReason={isRunning ? t('books.running') : offline}
            onClick={ask}
          />
        </Permit>
      </div>
      {data.last === null ? (
        <Empty reason={t(isRunning ? 'books.running' : 'books.none')} icon="bank-account" />
      ) : (
        <LastProof last={data.last} />
      )}
      {data.proofs.length > 0 && <EarlierProofs proofs={data.proofs} />}
    </div>
  )
}

function LastProof({ last }: { last: Last }): ReactNode {
  const t = useText('repayments')
  const language = useLanguage()
  const time = formatIst(last.finishTime, 'dayTime', language)
  const by =
    last.askedByName === null
      ? t('books.provenByClock', { time })
      : t('books.provenBy', { time, name: last.askedByName })
  return (
    <>
      {last.broken === 0 ? (
        <Callout
          intent="success"
          icon="tick-circle"
          role="status"
          title={t('books.holds', { n: last.rules })}
        >
          {by}
        </Callout>
      ) : (
        <Callout
          intent="danger"
          icon="error"
          role="alert"
          title={t('books.broken', { n: last.broken, rules: last.rules })}
        >
          {t('books.brokenMeans')} {by}
        </Callout>
      )}
      <div className="books-parts">
        <section aria-labelledby="books-of">
          <h2 id="books-of">{t('books.of')}</h2>
          <table className="books-table">
            <thead>
              <tr>
                <td />
                <th className="is-right">{t('books.rules')}</th>
                <th className="is-right">{t('books.faults')}</th>
              </tr>
            </thead>
            <tbody>
              {last.groups.map(({ group, codes, broken }) => (
                <tr key={group} className={broken > 0 ? 'is-broken' : ''}>
                  <th scope="row">
                    <details>
                      <summary>{t(`books.groups.${group}`)}</summary>
                      <ul>
                        {codes.map((code) => (
                          <li key={code}>
                            <Rule code={code} />
                          </li>
                        ))}
                      </ul>
                    </details>
                  </th>
                  <td className="is-right">{codes.length}</td>
                  <td className="is-right">{broken}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {last.faults.length > 0 && <Faults faults={last.faults} />}
        </section>
        <Accounts last={last} />
      </div>
    </>
  )
}

function Faults({ faults }: { faults: Last['faults'] }): ReactNode {
  const t = useText('repayments')
  return (
    <table className="books-table">
      <thead>
        <tr>
          <th>{t('books.faults')}</th>
          <th className="is-right">{t('books.violations')}</th>
          <th>{t('books.sample')}</th>
        </tr>
      </thead>
      <tbody>
        {faults.map(({ code, violations, sample }) => (
          <tr key={code}>
            <th scope="row">
              <Rule code={code} />
            </th>
            <td className="is-right">{violations}</td>
            <td className="books-sample tabular">{sample.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Accounts({ last: { accounts, entries, postings } }: { last: Last }): ReactNode {
  const t = useText('repayments', 'ledger')
  const sum = (side: 'debit' | 'credit') =>
    accounts.reduce((total, account) => total + account[side], 0)
  const [debit, credit] = [sum('debit'), sum('credit')]
  return (
    <section aria-labelledby="books-accounts">
      <h2 id="books-accounts">
        {t('books.accounts')}{' '}
        <span className="books-figures tabular">
          {t('books.figures', { entries: formatCount(entries), postings: formatCount(postings) })}
        </span>
      </h2>
      <table className="books-table">
        <thead>
          <tr>
            <th>{t('books.account')}</th>
            <th className="is-right">{t('books.debit')}</th>
            <th className="is-right">{t('books.credit')}</th>
            <th className="is-right">{t('books.balance')}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((row) => (
            <tr key={row.account}>
              <th scope="row">{t(`ledger:accounts.${row.account}`)}</th>
              <td className="is-right">
                <Money paise={row.debit} />
              </td>
              <td className="is-right">
                <Money paise={row.credit} />
              </td>
              <td className="is-right">
                <Money paise={row.debit - row.credit} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('books.total')}</th>
            <td className="is-right">
              <Money paise={debit} />
            </td>
            <td className="is-right">
              <Money paise={credit} />
            </td>
            <td className="is-right">
              <Money paise={debit - credit} />
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

function EarlierProofs({ proofs }: { proofs: Proofs['proofs'] }): ReactNode {
  const t = useText('repayments')
  return (
    <section aria-labelledby="books-earlier">
      <h2 id="books-earlier">{t('books.earlier')}</h2>
      <table className="books-table">
        <thead>
          <tr>
            <th>{t('books.started')}</th>
            <th>{t('books.by')}</th>
            <th>{t('books.state')}</th>
            <th className="is-right">{t('books.rules')}</th>
            <th className="is-right">{t('books.faults')}</th>
            <th className="is-right">{t('books.took')}</th>
          </tr>
        </thead>
        <tbody>
          {proofs.map((proof) => (
            <tr key={proof.proofId}>
              <td>
                <IstTime value={proof.startTime} />
              </td>
              <td>{proof.askedByName ?? t('books.clock')}</td>
              <td>
                <StatusTag tone={TONES[proof.state]}>{t(`books.states.${proof.state}`)}</StatusTag>
              </td>
              <td className="is-right">{proof.rules}</td>
              <td className="is-right">{proof.broken}</td>
              <td className="is-right">
                {proof.finishTime === null
                  ? '—'
                  : durationText(Date.parse(proof.finishTime) - Date.parse(proof.startTime), t)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
