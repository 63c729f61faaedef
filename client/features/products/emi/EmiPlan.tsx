/** The plan that EMI terms make for an amount, with its charges and annual rate. */
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import { istDay } from '#shared/kernel/time.ts'
import { type EmiConfig, emiFault, type EmiOffer, emiOffer } from '#shared/products/emi-offer.ts'

interface EmiPlanProps {
  /** As far as it is filled in. */
  config: Partial<EmiConfig>
  gstRate: number
}

export function EmiPlan({ config, gstRate }: EmiPlanProps): ReactNode {
  const t = useText('products')
  const [chosen, setChosen] = useState<{ amount: number | null; instalments: number | null }>({
    amount: null,
    instalments: null,
  })
  const numbers = (config.instalments ?? []).filter((n) => n >= 2 && n <= 36)
  const amount = chosen.amount ?? config.maxAmount ?? null
  const instalments =
    chosen.instalments !== null && numbers.includes(chosen.instalments)
      ? chosen.instalments
      : (numbers.at(-1) ?? null)
  const offer = offerOf(config, { amount, instalments }, gstRate)
  return (
    <section className="emi-plan" aria-label={t('emi.plan')}>
      <h3>{t('emi.plan')}</h3>
      <div className="emi-choice">
        <label>
          {t('emi.of')}
          <MoneyInput
            value={amount}
            onChange={(paise) => setChosen({ ...chosen, amount: paise })}
            aria-label={t('emi.of')}
          />
        </label>
        <label>
          {t('emi.in')}
          <span className="bp6-html-select">
            <select
              value={instalments ?? ''}
              onChange={(event) =>
                setChosen({ ...chosen, instalments: Number(event.target.value) })
              }
            >
              {numbers.map((n) => (
                <option key={n} value={n}>
                  {n}
                </option>
              ))}
            </select>
            <span className="field-caret" aria-hidden="true" />
          </span>
        </label>
      </div>
      {offer === null ? (
        <p className="emi-none">{t('emi.noPlan')}</p>
      ) : (
        <Offer offer={offer} bounceCharge={config.bounceCharge ?? 0} />
      )}
    </section>
  )
}

function Offer({
  offer,
  bounceCharge,
}: {
  offer: EmiOffer
  /** Paise, for each returned debit. */
  bounceCharge: number
}): ReactNode {
  const t = useText('products')
  const second = offer.plan[1]
  const amounts = {
    fee: offer.fee,
    gst: offer.gst,
    arrival: offer.arrival,
    interest: offer.interest,
    contract: offer.contract,
    bounce: bounceCharge,
  }
  return (
    <>
      <dl className="emi-facts">
        <div>
          <dt>{t('emi.instalment')}</dt>
          <dd>
            <Money paise={Number((second?.principal ?? 0n) + (second?.interest ?? 0n))} />
          </dd>
        </div>
        <div>
          <dt>{t('emi.apr')}</dt>
          <dd>{formatBasisPoints(offer.apr)}</dd>
        </div>
        {Object.entries(amounts).map(([name, paise]) => (
          <div key={name}>
            <dt>{t(`emi.${name as keyof typeof amounts}`)}</dt>
            <dd>
              <Money paise={paise} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="emi-rows" role="region" aria-label={t('emi.plan')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t('emi.no')}</th>
              <th className="is-left">{t('emi.due')}</th>
              <th>{t('emi.principal')}</th>
              <th>{t('emi.interestPart')}</th>
              <th>{t('emi.total')}</th>
            </tr>
          </thead>
          <tbody>
            {offer.plan.map(({ dueDay, principal, interest }, i) => (
              <tr key={dueDay}>
                <td>{i + 1}</td>
                <td className="is-left">
                  <IstTime value={dueDay} style="day" />
                </td>
                <td>
                  <Money paise={Number(principal)} />
                </td>
                <td>
                  <Money paise={Number(interest)} />
                </td>
                <td>
                  <Money paise={Number(principal + interest)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="emi-none">{t('emi.paidOutToday')}</p>
    </>
  )
}

/** Null while the terms, the amount or the number make no plan. */
function offerOf(
  config: Partial<EmiConfig>,
  { amount, instalments }: { amount: number | null; instalments: number | null },
  gstRate: number,
): EmiOffer | null {
  if (amount === null || instalments === null || !isWhole(config)) return null
  const isOffered = amount >= config.minAmount && amount <= config.maxAmount
  if (!isOffered || Object.keys(emiFault(config, gstRate)).length > 0) return null
  return emiOffer(config, { amount, instalments }, gstRate, istDay(serverNow()))
}

function isWhole(config: Partial<EmiConfig>): config is EmiConfig {
  const { minAmount, maxAmount, annualRate, processingFee, dueDay } = config
  return (
    [minAmount, maxAmount, annualRate, processingFee, dueDay].every(Number.isSafeInteger) &&
    (minAmount as number) >= 100 &&
    (annualRate as number) >= 0 &&
    (processingFee as number) >= 0 &&
    (dueDay as number) >= 1 &&
    (dueDay as number) <= 28
  )
}
