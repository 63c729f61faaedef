/** Creates or edits a coupon. Amounts are fixed once it was granted. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import './coupons.css'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import {
  ManyField,
  MoneyField,
  NumberField,
  PercentField,
  SelectField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { addCoupon, couponOptions, editCoupon } from '#shared/coupons/coupons-api.ts'
import {
  AMOUNT_TYPES,
  type AmountType,
  COUPON_TYPES,
  type CouponType,
  PREFERENTIAL_TYPES,
  type PreferentialType,
  TYPE_OF,
  VALID_DAYS,
} from '#shared/coupons/coupon-sets.ts'
import type { Coupon } from './coupon-types.ts'

interface Values {
  couponId: string
  version: number
  name: string
  type: CouponType
  amountType: AmountType
  preferentialType: PreferentialType
  discountAmount: number | null
  rate: number | null
  ratio: number | null
  minAmount: number
  validDays: number
  budget: number | null
  productIds: string[]
}
const OMIT = ['couponId', 'version'] as const

export function CouponForm({
  coupon,
  onDone,
  onClose,
}: {
  coupon: Coupon | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('coupons')
  const options = useQuery(queryOf(couponOptions, {}, { quiet: true }))
  const add = useSend(addCoupon, { quiet: true })
  const edit = useSend(editCoupon, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: coupon === null ? addCoupon.input : editCoupon.input,
    omit: OMIT,
    values: valuesOf(coupon),
    alsoRequired: neededBy,
    onSubmit: async (values) => {
      const fields = inputOf(values)
      if (coupon === null) await add.mutateAsync({ type: values.type, ...fields })
      else await edit.mutateAsync({ couponId: coupon.couponId, version: values.version, ...fields })
    },
    saved: t('saved'),
    onDone,
    onClose,
  })
  const { type, amountType, preferentialType } = useValue({
    control: form.form.control,
  }) as Values
  const { setValue } = form.form
  // another type of coupon is for something else
  useEffect(() => {
    if (TYPE_OF[preferentialType] === type) return
    const [first] = PREFERENTIAL_TYPES.filter((one) => TYPE_OF[one] === type)
    if (first !== undefined) setValue('preferentialType', first)
  }, [type, preferentialType, setValue])
  const isGranted = (coupon?.granted ?? 0) > 0
  const isFixed = amountType === 'fixed'
  const isLocked = isGranted ? { disabled: true } : {}
  const products = options.data?.products ?? coupon?.products ?? []
  const words = <Value extends string>(prefix: string, values: readonly Value[]) =>
    values.map((value) => ({ value, label: t(`${prefix}.${value}`) }))
  return (
    <FormDrawer
      {...frame}
      width={520}
      title={coupon === null ? t('add') : t('editTitle', { name: coupon.name })}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'name', label: t('col.name') },
          { name: 'minAmount', label: t('col.minAmount') },
          { name: 'validDays', label: t('col.validDays') },
          { name: 'budget', label: t('col.budget') },
        ]}
      />
      {isGranted && (
        <p className="coupon-note" role="status">
          {t('locked')}
        </p>
      )}
      <TextField name="name" label={t('col.name')} maxLength={40} />
      <SelectField
        name="type"
        label={t('col.type')}
        options={words('type', COUPON_TYPES)}
        disabled={coupon !== null}
      />
      <SelectField
        name="preferentialType"
        label={t('col.preferentialType')}
        options={words(
          'preferential',
          PREFERENTIAL_TYPES.filter((one) => TYPE_OF[one] === type),
        )}
        {...isLocked}
      />
      <SelectField
        name="amountType"
        label={t('col.amountType')}
        options={words('amountType', AMOUNT_TYPES)}
        {...isLocked}
      />
      {!isFixed && (
        <PercentField name="rate" label={t('col.rate')} help={t('help.rate')} {...isLocked} />
      )}
      <MoneyField
        name="discountAmount"
        label={t('col.discountAmount')}
        help={t(isFixed ? 'help.discountAmount' : 'help.cap')}
        {...isLocked}
      />
      {isFixed && (
        <PercentField name="ratio" label={t('col.ratio')} help={t('help.ratio')} {...isLocked} />
      )}
      <MoneyField name="minAmount" label={t('col.minAmount')} help={t('help.minAmount')} />
      <NumberField
        name="validDays"
        label={t('col.validDays')}
        min={VALID_DAYS.least}
        max={VALID_DAYS.most}
        help={t('help.validDays')}
      />
      <MoneyField name="budget" label={t('col.budget')} help={t('help.budget')} />
      <ManyField
        name="productIds"
        label={t('col.products')}
        options={products.map(({ productId, name }) => ({ value: productId, label: name }))}
        help={t('help.products')}
      />
    </FormDrawer>
  )
}

function valuesOf(coupon: Coupon | null): Values {
  return {
    couponId: coupon?.couponId ?? '',
    version: coupon?.version ?? 1,
    name: coupon?.name ?? '',
    type: coupon?.type ?? 'reduction',
    amountType: coupon?.amountType ?? 'fixed',
    preferentialType: coupon?.preferentialType ?? 'overdueFine',
    discountAmount: coupon?.discountAmount ?? null,
    rate: coupon?.rate ?? null,
    ratio: coupon?.ratio ?? null,
    minAmount: coupon?.minAmount ?? 0,
    validDays: coupon?.validDays ?? 30,
    budget: coupon?.budget ?? null,
    productIds: coupon?.products.map(({ productId }) => productId) ?? [],
  }
}

/** Of a fixed coupon its amount, of one by share its rate; its most where there is a budget. */
function neededBy({
  amountType,
  budget,
}: Pick<Values, 'amountType' | 'budget'>): ('discountAmount' | 'rate')[] {
  if (amountType === 'fixed') return ['discountAmount']
  return budget === null ? ['rate'] : ['rate', 'discountAmount']
}

/** Only what belongs to the kind of amount is sent. */
function inputOf({
  name,
  amountType,
  preferentialType,
  discountAmount,
  rate,
  ratio,
  minAmount,
  validDays,
  budget,
  productIds,
}: Values) {
  const isFixed = amountType === 'fixed'
  return {
    name,
    amountType,
    preferentialType,
    ...given('discountAmount', discountAmount),
    ...given('rate', isFixed ? null : rate),
    ...given('ratio', isFixed ? ratio : null),
    ...given('budget', budget),
    minAmount,
    validDays,
    productIds,
  }
}

function given<Name extends string>(
  name: Name,
  value: number | null,
): Partial<Record<Name, number>> {
  // a computed key of one name loses the name
  return value === null ? {} : ({ [name]: value } as Record<Name, number>)
}
