/** What money ahead of the plan of an EMI loan changes: both outcomes, before it is booked. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import {
  PREPAYMENT_EFFECTS,
  type PrepaymentEffect,
} from '#shared/repayments/emi/prepayment-effects.ts'
import { previewPayment } from '#shared/repayments/repayments-api.ts'

interface AheadFieldProps {
  chosen: PrepaymentEffect | ''
  onChoose: (effect: PrepaymentEffect | '') => void
  /** The payment as it could be booked; null before. */
  input: InputOf<typeof previewPayment> | null
}

const CHOICES = ['', ...PREPAYMENT_EFFECTS] as const

export function AheadField({ chosen, onChoose, input }: AheadFieldProps): ReactNode {
  const t = useText('repayments')
  return (
    <fieldset className="money-ahead">
      <legend>{t('ahead.label')}</legend>
      {CHOICES.map((effect) => (
        <label key={effect} className="check">
          <input
            type="radio"
            name="ahead"
            value={effect}
            checked={chosen === effect}
            onChange={() => onChoose(effect)}
          />
          <span>
            {t(effect === '' ? 'ahead.next' : `ahead.${effect}`)}
            {input !== null && <Outcome input={input} effect={effect} />}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function Outcome({
  input,
  effect,
}: {
  input: InputOf<typeof previewPayment>
  effect: PrepaymentEffect | ''
}): ReactNode {
  const t = useText('repayments')
  const withEffect = effect === '' ? input : { ...input, ahead: effect }
  const { data } = useQuery({
    ...queryOf(previewPayment, withEffect, { quiet: true }),
    retry: false,
    staleTime: 10_000,
  })
  if (!data) return null
  const { toCome } = data
  return (
    <small className="money-outcome">
      {t('ahead.owes')} <Money paise={data.outstanding.after} />
      {toCome !== null && (
        <>
          {' · '}
          {t('ahead.then')} <Money paise={toCome.instalment} /> {t('ahead.until')}{' '}
          <IstTime value={toCome.until} style="day" />
        </>
      )}
    </small>
  )
}
