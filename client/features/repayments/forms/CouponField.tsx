/** The coupon a payment uses: what each would give up now, and until when it is valid. */
import { type ReactNode, useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { currentLanguage } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { SelectField } from '#client/ui/form/fields.tsx'
import { formatIst } from '#client/ui/value/ist-format.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import type { Quote } from '../payment-types.ts'

export function CouponField({
  coupons,
  chosen,
}: {
  coupons: Quote['coupons']
  chosen: string
}): ReactNode {
  const t = useText('repayments', 'coupons')
  const { setValue } = useFormContext()
  const language = currentLanguage()
  const offer = coupons.find(({ grantId }) => grantId === chosen)
  const isGone = chosen !== '' && offer === undefined
  // another day or kind of payment is quoted: the coupon does not fit it
  useEffect(() => {
    if (isGone) setValue('couponGrantId', '')
  }, [isGone, setValue])
  if (coupons.length === 0) return null
  return (
    <SelectField
      name="couponGrantId"
      label={t('coupons:use.label')}
      placeholder={t('coupons:use.none')}
      options={coupons.map(({ grantId, preferentialType, discount, validUntil }) => ({
        value: grantId,
        label: t('coupons:use.option', {
          preferential: t(`coupons:preferential.${preferentialType}`),
          discount: formatPaise(discount),
          day: formatIst(validUntil, 'day', language),
        }),
      }))}
      help={
        offer === undefined || offer.minAmount === 0
          ? t('coupons:use.help')
          : `${t('coupons:use.help')} ${t('coupons:use.minimum', { amount: formatPaise(offer.minAmount) })}`
      }
    />
  )
}
