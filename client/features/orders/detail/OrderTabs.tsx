/**
 * Tabs of the order: plans, transfers, ledger, decision of the machine, timeline, remarks.
 */
import { useText } from '#client/base/use-text.ts'
import { Button, type IconName } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { GrantsOf } from '#client/features/coupons/public.tsx'
import {
  OrderGivenUp,
  OrderPayments,
  OrderProofs,
  SettlementTable,
} from '#client/features/repayments/public.tsx'
import { DecisionOf } from '#client/features/rules/public.ts'
import { DetailTabs } from '#client/screen/detail/DetailTabs.tsx'
import { useSession } from '#client/session/session-store.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import { Timeline } from '#client/ui/value/Timeline.tsx'
import type { OrderDetail, OrderTimeline } from '../order-types.ts'
import { codeWord, statusTone, statusWord } from '../order-words.ts'
import { LedgerTable } from './LedgerTable.tsx'
import { PlansTable } from './PlansTable.tsx'
import { TransfersTable } from './TransfersTable.tsx'

const TABS = [
  'plans',
  'payments',
  'givenUp',
  'settlement',
  'coupons',
  'proofs',
  'transfers',
  'ledger',
  'decision',
  'timeline',
  'remarks',
] as const
type TabId = (typeof TABS)[number]
/** A tab that belongs to other screens, shown only to users who have one of those screens. */
const SEEN_BY: Partial<Record<TabId, readonly string[]>> = {
  payments: ['repay_record'],
  givenUp: ['reduce_list', 'flat_management'],
  proofs: ['repay_proof'],
  coupons: ['coupon_list'],
  decision: ['review_list', 'rule_engine'],
}
/** Tabs about money, which there is none of before the loan. */
const OF_PLANS: ReadonlySet<TabId> = new Set(['payments', 'givenUp', 'proofs', 'coupons'])
const ICONS: Record<Tone, IconName> = {
  good: 'tick',
  bad: 'cross',
  warn: 'warning-sign',
  info: 'dot',
  neutral: 'dot',
}

export function OrderTabs({
  detail,
  timeline,
  onRemark,
  onChanged,
}: {
  detail: OrderDetail
  timeline: OrderTimeline | undefined
  onRemark: (() => void) | null
  onChanged: () => void
}): ReactNode {
  const t = useText('orders')
  const { index } = useSession()
  const { settlement, withheld } = detail
  const tabs = TABS.filter(
    (tab) =>
      (tab !== 'settlement' || settlement !== null) &&
      !withheld.some((part) => part === tab) &&
      (!OF_PLANS.has(tab) || detail.plans.length > 0) &&
      (SEEN_BY[tab] === undefined || SEEN_BY[tab].some((menu) => index.byName.has(menu))),
  )
  const counts: Record<TabId, number> = {
    timeline: timeline?.length ?? 0,
    plans: detail.plans.length,
    settlement: settlement?.rows.length ?? 0,
    payments: 0,
    givenUp: 0,
    coupons: 0,
    proofs: 0,
    transfers: detail.transfers.length,
    decision: 0,
    ledger: new Set(detail.ledger.map((line) => line.txnId)).size,
    remarks: detail.remarks.length,
  }
  const panels: Record<TabId, ReactNode> = {
    timeline: (
      <Timeline
        label={t('tab.timeline')}
        items={(timeline ?? []).toReversed().map((entry, i, all) => ({
          id: `${all.length - i}`,
          at: entry.time,
          title:
            entry.from === null
              ? statusWord(entry.to, t)
              : t('timeline.move', {
                  from: statusWord(entry.from, t),
                  to: statusWord(entry.to, t),
                }),
          actor: entry.by === null ? null : actorLabel(entry.by),
          detail: entry.note
            ? `${codeWord('cause', entry.cause, t)} · ${entry.note}`
            : codeWord('cause', entry.cause, t),
          tone: statusTone(entry.to),
          icon: ICONS[statusTone(entry.to)],
        }))}
      />
    ),
    payments: <OrderPayments orderId={detail.order.orderId} />,
    givenUp: <OrderGivenUp orderId={detail.order.orderId} />,
    coupons: <GrantsOf orderId={detail.order.orderId} />,
    proofs: <OrderProofs orderId={detail.order.orderId} />,
    plans: <PlansTable plans={detail.plans} />,
    transfers: <TransfersTable detail={detail} onDone={onChanged} />,
    settlement: settlement && <SettlementTable settlement={settlement} />,
    ledger: <LedgerTable lines={detail.ledger} />,
    decision: <DecisionOf orderId={detail.order.orderId} />,
    remarks:
      detail.remarks.length === 0 ? (
        <Empty
          reason={t('remark.none')}
          icon="comment"
          {...(onRemark ? { action: { text: t('action.remark'), onClick: onRemark } } : {})}
        />
      ) : (
        <>
          {onRemark ? (
            <Button
              className="order-add"
              icon="plus"
              text={t('action.remark')}
              onClick={onRemark}
            />
          ) : null}
          <Timeline
            label={t('tab.remarks')}
            items={detail.remarks.map((one, i, all) => ({
              id: `${all.length - i}`,
              at: one.time,
              title: one.by,
              detail: one.remark,
              icon: 'comment',
            }))}
          />
        </>
      ),
  }
  return (
    <DetailTabs
      id={`order-${detail.order.orderId}`}
      first={detail.plans.length > 0 ? 'plans' : 'timeline'}
      tabs={tabs.map((tab) => ({
        id: tab,
        title: t(`tab.${tab}`),
        count: counts[tab],
        panel: () => panels[tab],
      }))}
    />
  )
}
