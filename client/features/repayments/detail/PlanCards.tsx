/**
 * Beside the tabs: the open amounts of the instalment, the cost of paying the order in full today,
 * and its other instalments.
 */
import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { usePage } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { failureText } from '#client/ui/feedback/failure.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { quotePayment } from '#shared/repayments/repayments-api.ts'
import type { PlanDetail } from '../payment-types.ts'
import { PlanKindTag } from '../list/PlanKindTag.tsx'
import { codeWord, feeOf, planTone } from '../payment-words.ts'
import { QUOTE_MS } from '../quote-asking.ts'
import { planPath } from '#shared/repayments/plan-path.ts'

const PARTS = ['overdueFine', 'interest', 'serviceFee', 'principal'] as const

export function OpenCard({ detail: { open, plan } }: { detail: PlanDetail }): ReactNode {
  const t = useText('repayments')
  return (
    <section className="detail-card plan-card">
      <h2>{t('detail.open')}</h2>
      <dl>
        {PARTS.map((part) => (
          <div key={part}>
            <dt>{t(`col.${part === 'serviceFee' ? feeOf(plan.bounceCharge > 0) : part}`)}</dt>
            <dd>
              <Money paise={open[part]} />
            </dd>
          </div>
        ))}
        <div className="is-sum">
          <dt>{t('col.outstanding')}</dt>
          <dd>
            <Money paise={plan.outstanding} />
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** The instalment paid in full. */
const QUOTED = ['full', 'rollover', 'coolingOff'] as const

/** @param version of the order: a new version requests the quote again */
export function QuoteCard({ orderId, version }: { orderId: string; version: number }): ReactNode {
  const t = useText('repayments')
  const [type, setType] = useState<(typeof QUOTED)[number]>('full')
  const quote = useQuery({
    ...queryOf(quotePayment, { orderId, type }, { quiet: true }),
    queryKey: [quotePayment.path, { orderId, type }, version],
    refetchInterval: QUOTE_MS,
    retry: false,
  })
  const { data } = quote
  // an EMI loan is not extended; a refused quote of another kind leaves what is known
  const [isEmi, setIsEmi] = useState(false)
  if (data !== undefined && isEmi !== (data.prepayment !== null)) setIsEmi(!isEmi)
  return (
    <section className="detail-card plan-card">
      <h2>{t('quote.title')}</h2>
      <Segmented
        label={t('quote.title')}
        value={type}
        segments={QUOTED.filter((value) => value !== 'rollover' || !isEmi).map((value) => ({
          value,
          label: codeWord('type', value, t),
        }))}
        onChange={setType}
      />
      {quote.error ? <p className="money-note">{failureText(quote.error)}</p> : null}
      {data && !quote.error && (
        <dl>
          {data.rollover && (
            <>
              <div>
                <dt>{t('quote.fee')}</dt>
                <dd>
                  <Money paise={data.rollover.fee} />
                </dd>
              </div>
              <div>
                <dt>{t('quote.newDue')}</dt>
                <dd>
                  <IstTime value={data.rollover.newDueTime} style="day" />
                </dd>
              </div>
            </>
          )}
          {data.coolingOff ? (
            <>
              <div>
                <dt>{t('col.principal')}</dt>
                <dd>
                  <Money paise={data.coolingOff.principal} />
                </dd>
              </div>
              <div>
                <dt>{t('quote.charge', { days: data.coolingOff.daysUsed })}</dt>
                <dd>
                  <Money paise={data.coolingOff.proportionateCharge} />
                </dd>
              </div>
              <div>
                <dt>{t('quote.until')}</dt>
                <dd>
                  <IstTime value={data.coolingOff.until} />
                </dd>
              </div>
            </>
          ) : (
            PARTS.filter((part) => data.components[part] > 0).map((part) => (
              <div key={part}>
                <dt>{t(`col.${part === 'serviceFee' ? feeOf(isEmi) : part}`)}</dt>
                <dd>
                  <Money paise={data.components[part]} />
                </dd>
              </div>
            ))
          )}
          <div className="is-sum">
            <dt>{t('quote.due')}</dt>
            <dd>
              <Money paise={data.amountDue} />
            </dd>
          </div>
          <div>
            <dt>{t('quote.asOf')}</dt>
            <dd>
              <IstTime value={data.asOf} />
            </dd>
          </div>
        </dl>
      )}
    </section>
  )
}

export function SiblingsCard({ detail: { siblings, plan } }: { detail: PlanDetail }): ReactNode {
  const t = useText('repayments')
  const { menu } = usePage()
  if (siblings.length < 2) return null
  return (
    <section className="detail-card plan-card">
      <h2>{t('detail.siblings')}</h2>
      <div className="plan-siblings" role="region" aria-label={t('detail.siblings')} tabIndex={0}>
        <table className="plain-table">
          <tbody>
            {siblings.map((one) => (
              <tr key={one.planId} className={one.planId === plan.planId ? 'is-here' : undefined}>
                <td className="is-right">
                  {one.planId === plan.planId ? (
                    one.serialNo
                  ) : (
                    <Link className="money-link" href={planPath(one.planId, menu ?? 'repay_plan')}>
                      {one.serialNo}
                    </Link>
                  )}
                </td>
                <td>
                  <IstTime value={one.dueTime} style="day" />
                  <div>
                    <PlanKindTag kind={one.kind} />
                  </div>
                </td>
                <td>
                  <StatusTag tone={planTone(one.paymentStatus)}>
                    {codeWord('planStatus', one.paymentStatus, t)}
                  </StatusTag>
                </td>
                <td className="is-right">
                  <Money paise={one.outstanding} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
