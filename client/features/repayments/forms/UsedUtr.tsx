import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { CallError } from '#client/session/call-error.ts'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { UTR_USED } from '#shared/repayments/repayment-problems.ts'
import { listRecords } from '#shared/repayments/repayments-api.ts'
import { recordPath } from '../payment-words.ts'

const UTR = /^([0-9]{12}|[A-Za-z0-9]{16}|[A-Za-z0-9]{22})$/

/** Shows where a UTR is already booked, while it is typed and when the server refuses it. */
export function UsedUtr({ utr, refusedBy }: { utr: string; refusedBy: unknown }): ReactNode {
  const t = useText('repayments')
  const { index } = useSession()
  const maySee = index.byName.has('repay_record')
  const plain = utr.trim().toUpperCase()
  const known = useQuery({
    ...queryOf(listRecords, { utr: plain }, { quiet: true }),
    enabled: maySee && UTR.test(plain),
    retry: false,
  })
  const refused =
    refusedBy instanceof CallError && refusedBy.problem?.id === UTR_USED.id
      ? (refusedBy.data as { recordId: string; orderId: string } | null)
      : null
  const first = known.data?.rows.find(
    (row) => row.utr === plain && row.payState !== 'fail' && row.reversedTime === null,
  )
  const used = first
    ? { recordId: first.recordId, orderId: first.orderId ?? first.toldOrderId }
    : refused
  if (!used) return null
  return (
    <p className="money-note is-wrong" role="alert">
      {t('form.utrUsed', { orderId: used.orderId })}{' '}
      <Link className="money-link" href={recordPath(used.recordId)}>
        {used.recordId}
      </Link>
    </p>
  )
}
