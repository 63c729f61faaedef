/** What other parts of the business hold of the customer: orders, money, reviews, cases, tickets, the blacklist, and all of it by time. Messages lie beside. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { casePath } from '#client/features/collection/public.tsx'
import { orderPath, orderStatusKey, OrderStatusTag } from '#client/features/orders/public.tsx'
import { PlanLink } from '#client/features/repayments/public.tsx'
import { ticketPath } from '#client/features/tickets/public.tsx'
import { useConnection } from '#client/live/use-connection.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { doerWord } from '#client/session/doer-word.ts'
import { Empty } from '#client/ui/Empty.tsx'
import { ErrorPane } from '#client/ui/ErrorPane.tsx'
import { IstTime } from '#client/ui/IstTime.tsx'
import { Money } from '#client/ui/Money.tsx'
import { type Stage, StageTag, StatusTag, type Tone } from '#client/ui/StatusTag.tsx'
import { Timeline } from '#client/ui/Timeline.tsx'
import type { CustomerDetail } from '#shared/customers/customer-detail-api.ts'
import type { BlacklistRow } from '#shared/customers/customer-list-api.ts'
import { ORDER_VIEWERS } from '#shared/orders/order-viewers.ts'
import { type CustomerSection, MOST_ROWS } from '#shared/customers/customer-sets.ts'
import { sourceTone } from '../customer-words.ts'
import { PayerUpi } from '../PayerUpi.tsx'
import { useSay } from '../use-say.ts'
import { Overheard } from './Overheard.tsx'
import { useCustomer } from './use-customer.ts'

interface OfCustomer {
  userId: string
}

/** As the list of orders has them, without the customer himself (screens.md 2.2, 4.2). */
export function OrdersTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  const menu = useMenu(ORDER_VIEWERS)
  return (
    <Section userId={userId} sections={['orders']}>
      {({ orders = [] }) => (
        <>
          <Overheard
            orderIds={orders
              .filter((order) => order.mayOpen && order.closeTime === null)
              .map((order) => order.orderId)}
          />
          <Rows
            label={t('tab.orders')}
            none={t('empty.orders')}
            rows={orders}
            idOf={(order) => order.orderId}
            columns={[
              {
                head: t('orders:col.orderId'),
                cell: (order) =>
                  order.mayOpen && menu !== null ? (
                    <Away to={orderPath(order.orderId, menu)}>{order.orderId}</Away>
                  ) : (
                    order.orderId
                  ),
              },
              {
                head: t('orders:col.status'),
                cell: (order) => <OrderStatusTag status={order.status} />,
              },
              {
                head: t('orders:col.tags'),
                cell: (order) =>
                  order.tags.map((tag) => t(`orders:tag.${tag}`, { defaultValue: tag })).join(', '),
              },
              { head: t('orders:col.productName'), cell: (order) => order.productName },
              { head: t('orders:col.appName'), cell: (order) => order.appName },
              { head: t('orders:col.channelName'), cell: (order) => order.channelName },
              {
                head: t('orders:col.amount'),
                isRight: true,
                cell: (order) => <Money paise={order.amount} />,
              },
              {
                head: t('orders:col.arrivalAmount'),
                isRight: true,
                cell: (order) => <Money paise={order.arrivalAmount} />,
              },
              {
                head: t('orders:col.serviceCharge'),
                isRight: true,
                cell: (order) => <Money paise={order.serviceCharge} />,
              },
              {
                head: t('orders:col.interest'),
                isRight: true,
                cell: (order) => <Money paise={order.interest} />,
              },
              {
                head: t('orders:col.contractAmount'),
                isRight: true,
                cell: (order) => <Money paise={order.contractAmount} />,
              },
              {
                head: t('orders:col.tenureDays'),
                isRight: true,
                cell: (order) => order.tenureDays,
              },
              { head: t('orders:col.term'), isRight: true, cell: (order) => order.term },
              {
                head: t('orders:col.outstanding'),
                isRight: true,
                cell: (order) => <Money paise={order.outstanding} />,
              },
              {
                head: t('orders:col.overdueDays'),
                isRight: true,
                cell: (order) => order.overdueDays || '—',
              },
              {
                head: t('orders:col.dueTime'),
                cell: (order) => <IstTime value={order.dueTime} style="day" />,
              },
              { head: t('orders:col.failReason'), cell: (order) => order.failReason ?? '—' },
              {
                head: t('orders:col.reviewId'),
                cell: (order) =>
                  order.reviewId === null ? (
                    '—'
                  ) : (
                    <Away
                      to={`/detail2?reviewId=${encodeURIComponent(order.reviewId)}&from=review_list`}
                    >
                      {order.reviewId}
                    </Away>
                  ),
              },
              {
                head: t('orders:col.createTime'),
                cell: (order) => <IstTime value={order.createTime} />,
              },
              {
                head: t('orders:col.closeTime'),
                cell: (order) => <IstTime value={order.closeTime} />,
              },
              {
                head: t('orders:col.closeType'),
                cell: (order) =>
                  order.closeTime !== null && order.closeType === 'notClosed'
                    ? '—'
                    : t(`orders:closeType.${order.closeType}`, { defaultValue: order.closeType }),
              },
            ]}
          />
        </>
      )}
    </Section>
  )
}

const PLAN_TONES: Record<string, Tone> = {
  paid: 'good',
  overdue: 'warn',
  writtenOff: 'bad',
  processing: 'info',
  partlyPaid: 'info',
}
const PAY_TONES: Record<string, Tone> = { inProgress: 'info', success: 'good', fail: 'bad' }

export function MoneyTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  const col = (name: string) => t(`repayments:col.${name}`)
  return (
    <Section userId={userId} sections={['plans', 'records']}>
      {({ plans, records, customerCredit }) => (
        <>
          {customerCredit !== undefined && (
            <p className="customer-credit">
              {t('orders:account.customerCredit')} <Money paise={customerCredit} />
            </p>
          )}
          {plans && (
            <>
              <h2>{t('heading.plans')}</h2>
              <Rows
                label={t('heading.plans')}
                none={t('empty.plans')}
                rows={plans}
                idOf={(plan) => plan.planId}
                columns={[
                  {
                    head: col('planId'),
                    cell: (plan) => <PlanLink planId={plan.planId}>{plan.planId}</PlanLink>,
                  },
                  { head: col('orderId'), cell: (plan) => plan.orderId },
                  { head: col('serialNo'), isRight: true, cell: (plan) => plan.serialNo },
                  {
                    head: col('dueTime'),
                    cell: (plan) => <IstTime value={plan.dueTime} style="day" />,
                  },
                  {
                    head: col('paymentStatus'),
                    cell: (plan) => (
                      <StatusTag tone={PLAN_TONES[plan.paymentStatus] ?? 'neutral'}>
                        {t(`repayments:planStatus.${plan.paymentStatus}`)}
                      </StatusTag>
                    ),
                  },
                  {
                    head: col('overdueDays'),
                    isRight: true,
                    cell: (plan) => plan.overdueDays || '—',
                  },
                  {
                    head: col('amountDue'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.amountDue} />,
                  },
                  {
                    head: col('overdueFine'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.overdueFine} />,
                  },
                  {
                    head: col('paidAmount'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.paidAmount} />,
                  },
                  {
                    head: col('outstanding'),
                    isRight: true,
                    cell: (plan) => <Money paise={plan.outstanding} />,
                  },
                ]}
              />
            </>
          )}
          {records && (
            <>
              <h2>{t('heading.records')}</h2>
              <Rows
                label={t('heading.records')}
                none={t('empty.records')}
                rows={records}
                idOf={(record) => record.recordId}
                columns={[
                  {
                    head: col('recordId'),
                    cell: (record) =>
                      record.planId === null ? (
                        record.recordId
                      ) : (
                        <PlanLink planId={record.planId}>{record.recordId}</PlanLink>
                      ),
                  },
                  { head: col('orderId'), cell: (record) => record.orderId ?? '—' },
                  {
                    head: col('amount'),
                    isRight: true,
                    cell: (record) => <Money paise={record.amount} />,
                  },
                  {
                    head: col('payState'),
                    cell: (record) => (
                      <StatusTag tone={PAY_TONES[record.payState] ?? 'neutral'}>
                        {t(`repayments:payState.${record.payState}`)}
                      </StatusTag>
                    ),
                  },
                  {
                    head: col('repaymentType'),
                    cell: (record) => t(`repayments:type.${record.repaymentType}`),
                  },
                  { head: col('payTime'), cell: (record) => <IstTime value={record.payTime} /> },
                  {
                    head: col('channel'),
                    cell: (record) => t(`repayments:channel.${record.channel}`),
                  },
                  { head: col('utr'), cell: (record) => record.utr ?? '—' },
                  {
                    head: col('upi'),
                    cell: (record) => (
                      <PayerUpi userId={userId} recordId={record.recordId} upi={record.upi} />
                    ),
                  },
                  { head: col('operatorName'), cell: (record) => doerWord(record.operatorName) },
                ]}
              />
            </>
          )}
        </>
      )}
    </Section>
  )
}

const RESULT_TONES: Record<string, Tone> = { passed: 'good', failed: 'bad' }

export function ReviewTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  const menu = useMenu(['review_list'])
  return (
    <Section userId={userId} sections={['review']}>
      {({ review = [] }) => (
        <>
          <Overheard
            orderIds={review.filter((one) => one.finishTime === null).map((one) => one.orderId)}
          />
          <Rows
            label={t('tab.review')}
            none={t('empty.review')}
            rows={review}
            idOf={(one) => one.reviewId}
            columns={[
              {
                head: t('orders:col.reviewId'),
                cell: (one) =>
                  one.mayOpen && menu !== null ? (
                    <Away to={`/detail2?reviewId=${encodeURIComponent(one.reviewId)}&from=${menu}`}>
                      {one.reviewId}
                    </Away>
                  ) : (
                    one.reviewId
                  ),
              },
              { head: t('orders:col.orderId'), cell: (one) => one.orderId },
              {
                head: t('orders:col.status'),
                cell: (one) => (
                  <StatusTag tone={RESULT_TONES[one.state] ?? 'neutral'}>
                    {t(`review:state.${one.state}`)}
                  </StatusTag>
                ),
              },
              {
                head: t('head.machine'),
                cell: (one) =>
                  one.machineState === null ? '—' : t(`review:machine.${one.machineState}`),
              },
              {
                head: t('head.manual'),
                cell: (one) =>
                  one.manualResult === null ? (
                    '—'
                  ) : (
                    <StatusTag tone={RESULT_TONES[one.manualResult] ?? 'neutral'}>
                      {t(`review:result.${one.manualResult}`)}
                    </StatusTag>
                  ),
              },
              {
                head: t('col.reason'),
                cell: (one) =>
                  one.rejectCode === null ? (
                    '—'
                  ) : (
                    <span className="customer-text">
                      {one.rejectCode} {t(`review:reject.${one.rejectCode}`, { defaultValue: '' })}
                    </span>
                  ),
              },
              { head: t('head.reviewer'), cell: (one) => one.reviewerName ?? '—' },
              {
                head: t('head.created'),
                cell: (one) => <IstTime value={one.queuedTime ?? one.machineTime} />,
              },
              { head: t('head.ended'), cell: (one) => <IstTime value={one.finishTime} /> },
            ]}
          />
        </>
      )}
    </Section>
  )
}

const CASE_TONES: Record<string, Tone> = {
  unallocated: 'warn',
  allocating: 'info',
  promised: 'info',
  held: 'warn',
}

export function CasesTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  const menu = useMenu(['pedding_list', 'peded_list'])
  return (
    <Section userId={userId} sections={['cases']}>
      {({ cases: found = { cases: [], follows: [] } }) => (
        <>
          <h2>{t('heading.cases')}</h2>
          <Rows
            label={t('heading.cases')}
            none={t('empty.cases')}
            rows={found.cases}
            idOf={(one) => one.caseId}
            columns={[
              {
                head: t('head.caseId'),
                cell: (one) =>
                  menu === null ? (
                    one.caseId
                  ) : (
                    <Away to={casePath(one.caseId, menu)}>{one.caseId}</Away>
                  ),
              },
              { head: t('orders:col.orderId'), cell: (one) => one.orderId },
              { head: t('head.stage'), cell: (one) => <StageTag stage={one.stageId as Stage} /> },
              {
                head: t('orders:col.status'),
                cell: (one) => (
                  <StatusTag tone={CASE_TONES[one.state] ?? 'neutral'}>
                    {t(`collection:state.${one.state}`)}
                  </StatusTag>
                ),
              },
              { head: t('orders:col.overdueDays'), isRight: true, cell: (one) => one.overdueDays },
              {
                head: t('orders:col.outstanding'),
                isRight: true,
                cell: (one) => <Money paise={one.outstanding} />,
              },
              { head: t('head.collector'), cell: (one) => one.collectorName ?? '—' },
              {
                head: t('head.promise'),
                cell: (one) =>
                  one.ptpAmount === null ? (
                    '—'
                  ) : (
                    <>
                      <Money paise={one.ptpAmount} />{' '}
                      {one.ptpState !== null && t(`collection:ptpState.${one.ptpState}`)}
                    </>
                  ),
              },
              { head: t('head.ended'), cell: (one) => <IstTime value={one.endTime} /> },
            ]}
          />
          <h2>{t('heading.follows')}</h2>
          <Rows
            label={t('heading.follows')}
            none={t('empty.follows')}
            rows={found.follows}
            idOf={(one) => one.followId}
            columns={[
              { head: t('head.created'), cell: (one) => <IstTime value={one.createTime} /> },
              { head: t('head.caseId'), cell: (one) => one.caseId },
              { head: t('head.way'), cell: (one) => t(`collection:contactWay.${one.contactWay}`) },
              {
                head: t('head.result'),
                cell: (one) =>
                  [
                    t(`collection:contactResult.${one.contactResult}`),
                    one.willingness === null ? '' : t(`collection:willingness.${one.willingness}`),
                  ]
                    .filter(Boolean)
                    .join(' · '),
              },
              {
                head: t('head.promise'),
                cell: (one) =>
                  one.ptpAmount === null ? (
                    '—'
                  ) : (
                    <>
                      <Money paise={one.ptpAmount} /> <IstTime value={one.ptpTime} style="day" />
                    </>
                  ),
              },
              {
                head: t('orders:tab.remarks'),
                cell: (one) => <span className="customer-text">{one.remark}</span>,
              },
              { head: t('col.operatorName'), cell: (one) => one.operatorName },
            ]}
          />
        </>
      )}
    </Section>
  )
}

const PROGRESS_TONES: Record<string, Tone> = {
  unprocessed: 'warn',
  followingUp: 'info',
  finished: 'neutral',
}

export function TicketsTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  return (
    <Section userId={userId} sections={['tickets']}>
      {({ tickets = [] }) => (
        <Rows
          label={t('tab.tickets')}
          none={t('empty.tickets')}
          rows={tickets}
          idOf={(one) => one.feedbackId}
          columns={[
            {
              head: t('tickets:detail.title'),
              cell: (one) => <Away to={ticketPath(one.feedbackId, null)}>{one.feedbackId}</Away>,
            },
            { head: t('head.type'), cell: (one) => t(`tickets:type.${one.type}`) },
            {
              head: t('orders:col.status'),
              cell: (one) => (
                <StatusTag tone={PROGRESS_TONES[one.progress] ?? 'neutral'}>
                  {t(`tickets:progress.${one.progress}`)}
                </StatusTag>
              ),
            },
            { head: t('orders:col.orderId'), cell: (one) => one.orderId ?? '—' },
            { head: t('head.processor'), cell: (one) => one.processorName ?? '—' },
            { head: t('head.created'), cell: (one) => <IstTime value={one.createTime} /> },
            { head: t('head.due'), cell: (one) => <IstTime value={one.dueTime} /> },
            { head: t('head.ended'), cell: (one) => <IstTime value={one.finishTime} /> },
          ]}
        />
      )}
    </Section>
  )
}

export function BlacklistTab({
  userId,
  onEnd,
}: OfCustomer & { onEnd: (entry: BlacklistRow) => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayEnd = usePermission(['customer_list:blacklist'])
  return (
    <Section userId={userId} sections={['blacklist']}>
      {({ blacklist = [] }) => (
        <Rows
          label={t('tab.blacklist')}
          none={t('empty.blacklist')}
          rows={blacklist}
          idOf={(entry) => entry.blackId}
          columns={[
            { head: t('col.blackId'), cell: (entry) => entry.blackId },
            {
              head: t('col.state'),
              cell: (entry) => (
                <StatusTag tone={entry.endTime === null ? 'bad' : 'neutral'}>
                  {t(entry.endTime === null ? 'listed.yes' : 'listed.ended')}
                </StatusTag>
              ),
            },
            ...(mayEnd && blacklist.some((entry) => entry.endTime === null)
              ? [
                  {
                    head: t('action.unblacklist'),
                    cell: (entry: BlacklistRow) =>
                      entry.endTime === null ? (
                        <ActionButton
                          size="small"
                          icon="unlock"
                          text={t('action.unblacklist')}
                          disabledReason={offline}
                          onClick={() => onEnd(entry)}
                        />
                      ) : null,
                  },
                ]
              : []),
            { head: t('col.time'), cell: (entry) => <IstTime value={entry.time} /> },
            {
              head: t('col.source'),
              cell: (entry) => (
                <StatusTag tone={sourceTone(entry.source)}>{t(`source.${entry.source}`)}</StatusTag>
              ),
            },
            {
              head: t('col.reason'),
              cell: (entry) => <span className="customer-text">{entry.reason}</span>,
            },
            { head: t('col.operatorName'), cell: (entry) => entry.operatorName ?? '—' },
            { head: t('col.endTime'), cell: (entry) => <IstTime value={entry.endTime} /> },
            { head: t('col.endName'), cell: (entry) => entry.endName ?? '—' },
            {
              head: t('col.endReason'),
              cell: (entry) => <span className="customer-text">{entry.endReason ?? '—'}</span>,
            },
          ]}
        />
      )}
    </Section>
  )
}

const STEP_TONES: Record<string, Tone> = {
  registered: 'good',
  order: 'info',
  listed: 'bad',
  unlisted: 'neutral',
  ticket: 'warn',
}

export function TimelineTab({ userId }: OfCustomer): ReactNode {
  const t = useSay()
  return (
    <Section userId={userId} sections={['timeline']}>
      {({ timeline = [] }) => (
        <>
          <Timeline
            label={t('tab.timeline')}
            items={timeline.map((step, i) => ({
              id: `${step.time} ${i}`,
              at: step.time,
              tone: STEP_TONES[step.kind] ?? 'neutral',
              title: t(`step.${step.kind}`, { ref: step.ref, state: stateOf(step) }),
              actor: step.by === null ? null : doerWord(step.by),
            }))}
          />
          {timeline.length === MOST_ROWS && (
            <p className="customer-muted">{t('detail.most', { n: MOST_ROWS })}</p>
          )}
        </>
      )}
    </Section>
  )

  function stateOf({ kind, code }: NonNullable<CustomerDetail['timeline']>[number]): string {
    if (code === null) return ''
    return kind === 'order'
      ? t(orderStatusKey(Number(code)), { code })
      : kind === 'ticket'
        ? t(`tickets:type.${code}`)
        : t(`source.${code}`)
  }
}

/** Reads its sections when it is looked at. */
export function Section({
  userId,
  sections,
  children,
}: OfCustomer & {
  sections: readonly CustomerSection[]
  children: (detail: CustomerDetail) => ReactNode
}): ReactNode {
  const t = useSay()
  const { detail, error, reread } = useCustomer(userId, sections)
  if (detail) return children(detail)
  return error ? (
    <ErrorPane error={error} onRetry={reread} />
  ) : (
    <div className="customer-wait" role="status" aria-label={t('ui:grid.loading')}>
      <span className="bp6-skeleton" />
    </div>
  )
}

interface Column<Row> {
  head: string
  isRight?: boolean
  cell: (row: Row) => ReactNode
}

export function Rows<Row>({
  label,
  none,
  rows,
  idOf,
  columns,
}: {
  label: string
  none: string
  rows: readonly Row[]
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
}): ReactNode {
  const t = useSay()
  if (rows.length === 0) return <Empty reason={none} icon="inbox" />
  const side = (column: Column<Row>) => (column.isRight ? 'is-right' : undefined)
  return (
    <>
      <div className="customer-scroll" role="region" aria-label={label} tabIndex={0}>
        <table className="customer-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.head} scope="col" className={side(column)}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={idOf(row)}>
                {columns.map((column) => (
                  <td key={column.head} className={side(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === MOST_ROWS && (
        <p className="customer-muted">{t('detail.most', { n: MOST_ROWS })}</p>
      )}
    </>
  )
}

function Away({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <Link className="customer-away tabular" href={to}>
      {children}
    </Link>
  )
}

/** The first of these menus that the session has. */
function useMenu(names: readonly string[]): string | null {
  const { index } = useSession()
  return names.find((name) => index.byName.has(name)) ?? null
}
