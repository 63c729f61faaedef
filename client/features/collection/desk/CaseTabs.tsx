/** What is known of a case: contacts so far, plan, other loans, moves, stops. */
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { orderPath, OrderStatusTag } from '#client/features/orders/public.tsx'
import { CaseTickets } from '#client/features/tickets/public.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { Money } from '#client/ui/Money.tsx'
import { Segmented } from '#client/ui/Segmented.tsx'
import { StatusTag } from '#client/ui/StatusTag.tsx'
import { useSay } from '../use-say.ts'
import type { CaseDetail } from './case-types.ts'
import { doerWord, stopTone } from './case-words.ts'

const TABS = ['timeline', 'plan', 'orders', 'moves', 'stops', 'tickets'] as const
type Tab = (typeof TABS)[number]

export function CaseTabs({ detail }: { detail: CaseDetail }): ReactNode {
  const t = useSay()
  const [tab, setTab] = useState<Tab>('timeline')
  const counts: Record<Tab, number> = { timeline: detail.follows.length, plan: detail.plans.length, orders: detail.otherOrders.length, moves: detail.moves.length, stops: detail.stops.length, tickets: detail.tickets.length }
  const none = <p className="case-note">{t('desk.nothing')}</p>
  return (
    <div className="case-tabs">
      <Segmented label={t('desk.tabs')} value={tab} segments={TABS.map((value) => ({ value, label: t(`desk.tab.${value}`), count: counts[value] }))} onChange={setTab} />
      {counts[tab] === 0 && none}
      {tab === 'timeline' && (
        <ol className="case-timeline">
          {detail.follows.map((follow) => (
            <li key={follow.followId}>
              <p><IstTime value={follow.createTime} /> · <strong>{t(`contactResult.${follow.contactResult}`)}</strong>{follow.willingness !== null && <> · {t(`willingness.${follow.willingness}`)}</>}</p>
              <p>{follow.remark}</p>
              {follow.ptpAmount !== null && <p>{t('desk.promise')}: <Money paise={follow.ptpAmount} /> · <IstTime value={follow.ptpTime} /></p>}
              <p className="case-note">{follow.operatorName} · {t(`contactWay.${follow.contactWay}`)} {follow.contactNumber}</p>
            </li>
          ))}
        </ol>
      )}
      {tab === 'plan' && detail.plans.length > 0 && (
        <table className="collection-table">
          <thead><tr><th scope="col">#</th><th scope="col">{t('desk.dueSince')}</th><th scope="col" className="is-number">{t('desk.col.amountDue')}</th><th scope="col" className="is-number">{t('desk.fine')}</th><th scope="col" className="is-number">{t('desk.col.outstanding')}</th></tr></thead>
          <tbody>
            {detail.plans.map((plan) => (
              <tr key={plan.planId}><td className="tabular">{plan.serialNo}</td><td><IstTime value={plan.dueTime} style="day" /></td><td className="is-number"><Money paise={plan.amountDue} /></td><td className="is-number"><Money paise={plan.overdueFine} /></td><td className="is-number"><Money paise={plan.outstanding} /></td></tr>
            ))}
          </tbody>
        </table>
      )}
      {tab === 'orders' && (
        <ul className="case-list">
          {detail.otherOrders.map((order) => (
            <li key={order.orderId}><Link className="collection-link" href={orderPath(order.orderId, 'order_list')}>{order.orderId}</Link> <OrderStatusTag status={order.status} /> <Money paise={order.outstanding} /> {order.overdueDays > 0 && <span>{t('desk.daysOverdue', { days: order.overdueDays })}</span>}</li>
          ))}
        </ul>
      )}
      {tab === 'moves' && (
        <ol className="case-timeline">
          {detail.moves.map((move) => (
            <li key={`${move.time}${move.cause}`}>
              <p><IstTime value={move.time} /> · <strong>{t(`cause.${move.cause}`)}</strong>{move.fromStage !== move.toStage && move.fromStage !== null && <> · {move.fromStage} → {move.toStage}</>}</p>
              <p>{move.from ?? '—'} → {move.to ?? '—'}</p>
              {move.reason && <p>{t(`recall.${move.reason}`, { defaultValue: move.reason })}</p>}
              {move.by !== null && <p className="case-note">{doerWord(move.by, t)}</p>}
            </li>
          ))}
        </ol>
      )}
      {tab === 'stops' && (
        <ul className="case-list">
          {detail.stops.map((stop) => (
            <li key={stop.stopId}><StatusTag tone={stopTone(stop.state)}>{t(`stopState.${stop.state}`)}</StatusTag> {t(`stopReason.${stop.reason}`)} · <IstTime value={stop.startTime} style="day" />{stop.endTime && <> – <IstTime value={stop.endTime} style="day" /></>} <span className="case-note">{stop.remark} · {stop.applyBy}</span></li>
          ))}
        </ul>
      )}
      {tab === 'tickets' && <CaseTickets tickets={detail.tickets} />}
    </div>
  )
}
