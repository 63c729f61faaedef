/** The parts of the settlement plan of a cured bad debt, and how much of each is paid. */
import { useText } from '#client/base/use-text.ts'
import '../repayments.css'
import './settlement.css'
import type { ReactNode } from 'react'
import { serverNow } from '#client/session/server-clock.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag, type Tone } from '#client/ui/value/StatusTag.tsx'
import { istDay } from '#shared/kernel/time.ts'
import { paidOfRows, type SettlementState } from '#shared/repayments/settlement-plan.ts'
import { partStates, type PartState, type Settlement } from './settlement-parts.ts'

const TONES = { current: 'info', kept: 'good', broken: 'bad', ended: 'neutral' } satisfies Record<
  SettlementState,
  Tone
>
const PART_TONES = {
  paid: 'good',
  next: 'info',
  later: 'neutral',
  overdue: 'warn',
  missed: 'bad',
  open: 'neutral',
} satisfies Record<PartState, Tone>

export function SettlementTable({ settlement }: { settlement: Settlement }): ReactNode {
  const t = useText('repayments')
  const { rows, paid, state, total } = settlement
  const reached = paidOfRows(rows, paid)
  const states = partStates(settlement, istDay(serverNow()))
  return (
    <>
      <dl className="fact-box">
        <div>
          <dt>{t('settlement.state')}</dt>
          <dd>
            <StatusTag tone={TONES[state]}>{t(`settlement.states.${state}`)}</StatusTag>
          </dd>
        </div>
        <div>
          <dt>{t('settlement.since')}</dt>
          <dd>
            <IstTime value={settlement.startTime} />
          </dd>
        </div>
        {settlement.endTime === null ? null : (
          <div>
            <dt>{t('settlement.ended')}</dt>
            <dd>
              <IstTime value={settlement.endTime} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('settlement.frozen')}</dt>
          <dd>
            <IstTime value={settlement.asOf} style="day" />
          </dd>
        </div>
        <div>
          <dt>{t('settlement.approval')}</dt>
          <dd className="tabular">{settlement.approvalId}</dd>
        </div>
      </dl>
      <div className="plain-scroll" role="region" aria-label={t('settlement.title')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th className="is-right">{t('settlement.part')}</th>
              <th>{t('col.dueTime')}</th>
              <th>{t('settlement.state')}</th>
              <th className="is-right">{t('settlement.amount')}</th>
              <th className="is-right">{t('settlement.paid')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ dueTime, amount }, i) => {
              // one for each row
              const part = states[i] as PartState
              return (
                <tr key={dueTime}>
                  <td className="is-right">{i + 1}</td>
                  <td>
                    <IstTime value={dueTime} style="day" />
                  </td>
                  <td>
                    <StatusTag tone={PART_TONES[part]}>
                      {t(`settlement.rowStates.${part}`)}
                    </StatusTag>
                  </td>
                  <td className="is-right">
                    <Money paise={amount} />
                  </td>
                  <td className="is-right">
                    <Money paise={reached[i] ?? 0} />
                  </td>
                </tr>
              )
            })}
          </tbody>
          <tfoot>
            <tr>
              <th colSpan={3} scope="row">
                {t('settlement.total')}
              </th>
              <td className="is-right">
                <Money paise={total} />
              </td>
              <td className="is-right">
                <Money paise={Math.max(0, paid)} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      {state === 'current' ? <p className="money-hint">{t('settlement.note')}</p> : null}
    </>
  )
}
