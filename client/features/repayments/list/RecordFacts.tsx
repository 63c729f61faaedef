/** Facts of one payment: the amount, the order and borrower, and the staff involved. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CustomerLink, PayerUpi } from '#client/features/customers/public.tsx'
import { OrderLink } from '#client/features/orders/public.tsx'
import { useSession } from '#client/session/session-store.ts'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { RecordTags } from '../detail/RecordTags.tsx'
import type { RecordDetail } from '../payment-types.ts'
import { codeWord, proofPath } from '../payment-words.ts'

export function RecordFacts({
  detail: { record, proofId, reversedBy },
}: {
  detail: RecordDetail
}): ReactNode {
  const t = useText('repayments')
  const { index } = useSession()
  return (
    <>
      <dl className="fact-box">
        <Fact name="payState">
          <RecordTags record={record} />
        </Fact>
        <Fact name="amount" isStrong>
          <Money paise={record.amount} />
        </Fact>
        {record.surplus > 0 && (
          <Fact name="surplus">
            <Money paise={record.surplus} />
          </Fact>
        )}
        <Fact name="repaymentType">{codeWord('type', record.repaymentType, t)}</Fact>
        <Fact name="payTime">
          <IstTime value={record.payTime} />
        </Fact>
        <Fact name="orderId">
          {record.orderId === null ? (
            <span className="tabular">{record.toldOrderId}</span>
          ) : (
            <OrderLink orderId={record.orderId} className="money-link" />
          )}
        </Fact>
        {record.userId !== null && (
          <Fact name="userName">
            <CustomerLink userId={record.userId}>{record.userName}</CustomerLink>
          </Fact>
        )}
        <Fact name="utr">
          <span className="tabular">{record.utr ?? '—'}</span>
        </Fact>
        <Fact name="channel">{codeWord('channel', record.channel, t)}</Fact>
        <Fact name="upi">
          {record.userId === null ? (
            (record.upi ?? '—')
          ) : (
            <PayerUpi userId={record.userId} recordId={record.recordId} upi={record.upi} />
          )}
        </Fact>
        <Fact name="bankCode">{record.bankCode ?? '—'}</Fact>
        <Fact name="source">{codeWord('source', record.source, t)}</Fact>
        {proofId !== null && (
          <Fact name="proofId">
            {index.byName.has('repay_proof') ? (
              <Link className="money-link tabular" href={proofPath(proofId)}>
                {proofId}
              </Link>
            ) : (
              <span className="tabular">{proofId}</span>
            )}
          </Fact>
        )}
        <Fact name="operatorName">{actorLabel(record.operatorName)}</Fact>
        {record.confirmerName !== null && (
          <Fact name="confirmerName">{actorLabel(record.confirmerName)}</Fact>
        )}
        {record.confirmTime !== null && (
          <Fact name="confirmTime">
            <IstTime value={record.confirmTime} />
          </Fact>
        )}
        {reversedBy !== null && <Fact name="reversedBy">{reversedBy}</Fact>}
        {record.reversedTime !== null && (
          <Fact name="reversedTime">
            <IstTime value={record.reversedTime} />
          </Fact>
        )}
      </dl>
      {record.failReason !== null && (
        <p className="money-note is-wrong">
          {t('col.failReason')}: {record.failReason}
        </p>
      )}
      {record.bounceCharge > 0 && (
        <p className="money-note is-wrong">
          {t('col.bounceCharge')}: <Money paise={record.bounceCharge} />
        </p>
      )}
      {record.reverseReason !== null && (
        <p className="money-note is-wrong">
          {t('col.reverseReason')}: {record.reverseReason}
        </p>
      )}
      {record.remark !== null && (
        <p className="money-note">
          {t('col.remark')}: {record.remark}
        </p>
      )}
    </>
  )
}

function Fact({
  name,
  isStrong = false,
  children,
}: {
  name: string
  isStrong?: boolean
  children: ReactNode
}): ReactNode {
  const t = useText('repayments')
  return (
    <div {...(isStrong ? { className: 'is-strong' } : {})}>
      <dt>{t(`col.${name}`)}</dt>
      <dd>{children}</dd>
    </div>
  )
}
