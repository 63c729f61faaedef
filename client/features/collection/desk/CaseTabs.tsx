/** Facts of a case: contacts and notes, plan, other loans, moves, stops. */
import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useState } from 'react'
import { CaseAiCalls } from '#client/features/ai-calls/public.tsx'
import { CallEnd } from '#client/features/voice-calls/public.tsx'
import { FileButtons } from '#client/features/files/public.tsx'
import { OrderLink, OrderStatusTag } from '#client/features/orders/public.tsx'
import { OrderProofs, PlanKindTag, useSeesProofs } from '#client/features/repayments/public.tsx'
import { CaseTickets } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { resumeStops, stopFile } from '#shared/collection/stops-api.ts'
import type { CaseDetail } from './case-types.ts'
import { settleTone, stopTone } from './case-words.ts'

const TABS = [
  'facts',
  'timeline',
  'aiCalls',
  'plan',
  'settling',
  'proofs',
  'orders',
  'moves',
  'stops',
  'tickets',
] as const
type Tab = (typeof TABS)[number]

export function CaseTabs({
  detail,
  facts,
  onDone,
}: {
  detail: CaseDetail
  /** What is nowhere else on a docked panel; null = no tab for it. */
  facts: ReactNode
  onDone: () => void
}): ReactNode {
  const t = useText('collection', 'problems')
  const [tab, setTab] = useState<Tab>('timeline')
  const sees = useSeesProofs()
  const { reason: offline } = useConnection()
  // an instalment that a prepayment made needless is nobody's debt
  const planned = detail.plans.filter(({ paymentStatus }) => paymentStatus !== 'dropped')
  const mayResume = usePermission(resumeStops.access)
  const [resuming, setResuming] = useState<CaseDetail['stops'][number] | null>(null)
  const resume = useSend(resumeStops)
  async function end(remark: string): Promise<void> {
    if (resuming === null) return
    const {
      failed: [refused],
    } = await resume.mutateAsync({ stopIds: [resuming.stopId], remark })
    void showMessage({
      intent: refused ? 'warning' : 'success',
      message: refused
        ? t(`problems:${refused.problem ?? ''}`, { defaultValue: refused.msg, ...refused.params })
        : t('stop.done'),
      key: 'stop',
    })
    onDone()
  }
  const counts: Partial<Record<Tab, number>> = {
    timeline: detail.follows.length + detail.notes.length,
    plan: detail.plans.length,
    settling: detail.links.length + detail.reductions.length + detail.payments.length,
    orders: detail.otherOrders.length,
    moves: detail.moves.length,
    stops: detail.stops.length,
    tickets: detail.tickets.length,
  }
  const none = <p className="case-note">{t('desk.nothing')}</p>
  return (
    <div className="case-tabs">
      <Segmented
        label={t('desk.tabs')}
        value={tab}
        segments={TABS.filter(
          (value) => (sees || value !== 'proofs') && (facts !== null || value !== 'facts'),
        ).map((value) => ({
          value,
          label: t(`desk.tab.${value}`),
          // one without a number is empty: so many zeros would take a line of their own
          ...((counts[value] ?? 0) === 0 ? {} : { count: counts[value] }),
        }))}
        onChange={setTab}
      />
      {counts[tab] === 0 && none}
      {tab === 'facts' && facts}
      {tab === 'timeline' && (
        <ol className="case-timeline">
          {timelineOf(detail).map(({ follow, note }) =>
            follow === null ? (
              <li key={note.noteId}>
                <p>
                  <IstTime value={note.createTime} /> · <strong>{t('desk.note')}</strong>
                </p>
                <p>{note.remark}</p>
                <p className="case-note">{note.operatorName}</p>
              </li>
            ) : (
              <li key={follow.followId}>
                <p>
                  <IstTime value={follow.createTime} /> ·{' '}
                  <strong>{t(`contactResult.${follow.contactResult}`)}</strong>
                  {follow.willingness !== null && <> · {t(`willingness.${follow.willingness}`)}</>}
                </p>
                <p>{follow.remark}</p>
                {follow.ptpAmount !== null && (
                  <p>
                    {t('desk.promise')}: <Money paise={follow.ptpAmount} /> ·{' '}
                    <IstTime value={follow.ptpTime} />
                  </p>
                )}
                <p className="case-note">
                  {follow.operatorName} · {t(`contactWay.${follow.contactWay}`)}{' '}
                  {follow.contactNumber}
                  {follow.direction === 'in' && <> · {t('desk.direction.in')}</>}
                  {follow.endCause !== null && (
                    <>
                      {' '}
                      · <CallEnd endCause={follow.endCause} durationSec={follow.durationSec} />
                    </>
                  )}
                </p>
              </li>
            ),
          )}
        </ol>
      )}
      {tab === 'aiCalls' && <CaseAiCalls caseId={detail.case.caseId} />}
      {tab === 'plan' && planned.length > 0 && (
        <table className="plain-table is-wrapping">
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">{t('desk.dueSince')}</th>
              <th scope="col" className="is-right">
                {t('desk.col.amountDue')}
              </th>
              <th scope="col" className="is-right">
                {t('desk.fine')}
              </th>
              <th scope="col" className="is-right">
                {t('desk.col.outstanding')}
              </th>
            </tr>
          </thead>
          <tbody>
            {planned.map((plan) => (
              <tr key={plan.planId}>
                <td className="tabular">{plan.serialNo}</td>
                <td>
                  <IstTime value={plan.dueTime} style="day" /> <PlanKindTag kind={plan.kind} />
                </td>
                <td className="is-right">
                  <Money paise={plan.amountDue} />
                </td>
                <td className="is-right">
                  <Money paise={plan.overdueFine} />
                </td>
                <td className="is-right">
                  <Money paise={plan.outstanding} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {tab === 'settling' && (
        <ul className="case-list">
          {detail.payments.map((payment) => (
            <li key={payment.recordId}>
              <StatusTag
                tone={
                  payment.reversed || payment.payState === 'fail'
                    ? 'bad'
                    : payment.payState === 'success'
                      ? 'good'
                      : 'warn'
                }
              >
                {t(`desk.payState.${payment.reversed ? 'reversed' : payment.payState}`)}
              </StatusTag>{' '}
              {t('desk.payment')} <Money paise={payment.amount} /> ·{' '}
              {t(`figures.channel.${payment.channel}`)} · <IstTime value={payment.payTime} />
            </li>
          ))}
          {detail.reductions.map((reduction) => (
            <li key={reduction.reduceId}>
              <StatusTag tone={settleTone(reduction.state)}>
                {t(`figures.reduceState.${reduction.state}`)}
              </StatusTag>{' '}
              {t('desk.col.reduceState')} <Money paise={reduction.reduceAmount} />
              {reduction.validUntil !== null && (
                <>
                  {' '}
                  · {t('desk.until')} <IstTime value={reduction.validUntil} style="day" />
                </>
              )}{' '}
              <span className="case-note">{reduction.launchBy}</span>
            </li>
          ))}
          {detail.links.map((link) => (
            <li key={link.linkId}>
              <StatusTag tone={settleTone(link.state)}>
                {t(`desk.linkState.${link.state}`)}
              </StatusTag>{' '}
              {t('desk.paymentLink')} <Money paise={link.amount} /> · {t(`contactWay.${link.way}`)}{' '}
              · <IstTime value={link.createTime} /> <span className="case-note">{link.sentBy}</span>
            </li>
          ))}
        </ul>
      )}
      {tab === 'proofs' && <OrderProofs orderId={detail.case.orderId} />}
      {tab === 'orders' && (
        <ul className="case-list">
          {detail.otherOrders.map((order) => (
            <li key={order.orderId}>
              <OrderLink className="collection-link" orderId={order.orderId} />{' '}
              <OrderStatusTag status={order.status} /> <Money paise={order.outstanding} />{' '}
              {order.overdueDays > 0 && (
                <span>{t('desk.daysOverdue', { days: order.overdueDays })}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {tab === 'moves' && (
        <ol className="case-timeline">
          {detail.moves.map((move) => (
            <li key={`${move.time}${move.cause}`}>
              <p>
                <IstTime value={move.time} /> · <strong>{t(`cause.${move.cause}`)}</strong>
                {move.fromStage !== move.toStage && move.fromStage !== null && (
                  <>
                    {' '}
                    · {move.fromStage} → {move.toStage}
                  </>
                )}
              </p>
              <p>
                {move.from ?? '—'} → {move.to ?? '—'}
              </p>
              {move.reason && <p>{t(`recall.${move.reason}`, { defaultValue: move.reason })}</p>}
              {move.by !== null && <p className="case-note">{actorLabel(move.by)}</p>}
            </li>
          ))}
        </ol>
      )}
      {tab === 'stops' && (
        <ul className="case-list">
          {detail.stops.map((stop) => (
            <li key={stop.stopId}>
              <StatusTag tone={stopTone(stop.state)}>{t(`stopState.${stop.state}`)}</StatusTag>{' '}
              {t(`stopReason.${stop.reason}`)} · <IstTime value={stop.startTime} style="day" />
              {stop.endTime && (
                <>
                  {' '}
                  – <IstTime value={stop.endTime} style="day" />
                </>
              )}{' '}
              <span className="case-note">
                {stop.remark} · {actorLabel(stop.applyBy)}
              </span>
              {mayResume && stop.state === 'active' && (
                <ActionButton
                  size="small"
                  icon="play"
                  text={t('stop.resume')}
                  disabledReason={offline}
                  onClick={() => setResuming(stop)}
                />
              )}
              <FileButtons
                title={t('stop.filesOf', { stopId: stop.stopId, userName: stop.userName })}
                files={stop.files}
                source={{ endpoint: stopFile, of: { stopId: stop.stopId } }}
              />
            </li>
          ))}
        </ul>
      )}
      {tab === 'tickets' && <CaseTickets tickets={detail.tickets} />}
      <ConfirmAction
        isOpen={resuming !== null}
        intent="primary"
        title={t('stop.ask.resume')}
        count={1}
        confirmText={t('stop.resume')}
        reason={{ min: 4, max: 200 }}
        onConfirm={end}
        onClose={() => setResuming(null)}
      >
        <p>{resuming === null ? '' : t(`stopReason.${resuming.reason}`)}</p>
      </ConfirmAction>
    </div>
  )
}

type Entry =
  | { follow: CaseDetail['follows'][number]; note: null }
  | { follow: null; note: CaseDetail['notes'][number] }

/** Contacts and notes, newest first. */
function timelineOf({ follows, notes }: CaseDetail): Entry[] {
  const entries: Entry[] = [
    ...follows.map((follow) => ({ follow, note: null })),
    ...notes.map((note) => ({ follow: null, note })),
  ]
  const at = ({ follow, note }: Entry) => (follow ?? note).createTime
  return entries.toSorted((a, b) => (at(a) < at(b) ? 1 : -1))
}
