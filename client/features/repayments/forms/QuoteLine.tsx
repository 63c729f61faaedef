import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { failureText } from '#client/ui/feedback/failure.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { Quote } from '../payment-types.ts'
import { feeOf } from '../payment-words.ts'

/** What the borrower owes on the value day, part by part, or why it is not known. */
export function QuoteLine({
  quote,
  error,
}: {
  quote: Quote | undefined
  error: unknown
}): ReactNode {
  const t = useText('repayments')
  if (error)
    return (
      <p className="money-note is-wrong" role="alert">
        {failureText(error)}
      </p>
    )
  if (!quote) return null
  const parts = (['principal', 'interest', 'serviceFee', 'overdueFine'] as const).filter(
    (part) => quote.components[part] > 0,
  )
  return (
    <dl className="fact-box">
      <div className="is-strong">
        <dt>
          {t('quote.due')} · <IstTime value={quote.valueDay} style="day" />
        </dt>
        <dd>
          <Money paise={quote.amountDue} />
        </dd>
      </div>
      {quote.rollover && (
        <>
          <div>
            <dt>{t('quote.fee')}</dt>
            <dd>
              <Money paise={quote.rollover.fee} />
            </dd>
          </div>
          <div>
            <dt>{t('quote.carried')}</dt>
            <dd>
              <Money paise={quote.rollover.carried} />
            </dd>
          </div>
          <div>
            <dt>{t('quote.newDue')}</dt>
            <dd>
              <IstTime value={quote.rollover.newDueTime} style="day" />
            </dd>
          </div>
          <div>
            <dt>{t('quote.times')}</dt>
            <dd>
              {quote.rollover.serialNo} / {quote.rollover.maxTimes}
            </dd>
          </div>
        </>
      )}
      {parts.map((part) => (
        <div key={part}>
          <dt>{t(`col.${part === 'serviceFee' ? feeOf(quote.prepayment !== null) : part}`)}</dt>
          <dd>
            <Money paise={quote.components[part]} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('col.userName')}</dt>
        <dd>{quote.userName}</dd>
      </div>
    </dl>
  )
}
