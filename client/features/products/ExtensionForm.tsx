import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import {
  MoneyField,
  NumberField,
  PercentField,
  SelectField,
  SwitchField,
} from '#client/ui/form/fields.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { editExtension, FEE_TYPES, productExtension } from '#shared/products/products-api.ts'
import { type LoadedTerms, TermsDrawer, type TermsFormProps, withTerms } from './TermsForm.tsx'

type Values = InputOf<typeof editExtension>['extend'] & { version: number }
const RATE = { key: 'products:fault.rate', params: {} }

export const ExtensionForm = withTerms(productExtension, 'extend.title', Form)

function Form({
  product,
  terms,
  title,
  onDone,
  onClose,
}: TermsFormProps & LoadedTerms<typeof productExtension>): ReactNode {
  const t = useText('products')
  const send = useSend(editExtension, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: editExtension.input.properties.extend,
    values: { ...terms.extend, version: terms.version },
    check: ({ feeType, fee, commission }) =>
      feeType === 'fixed'
        ? null
        : {
            ...((fee ?? 0) > 10_000 ? { fee: RATE } : {}),
            ...((commission ?? 0) > 10_000 ? { commission: RATE } : {}),
          },
    // the version is not a field of the extension form
    async onSubmit(extend): Promise<unknown> {
      return send.mutateAsync({
        productId: product.productId,
        version: form.form.getValues('version'),
        extend,
      })
    },
    saved: t('saved'),
    onDone,
    onClose,
  })
  const feeType = useValue({ control: form.form.control, name: 'feeType' })
  const Amount = feeType === 'rate' ? PercentField : MoneyField
  const feeText = (type: unknown, { fee, commission }: Record<string, unknown>) => {
    const amount = type === 'rate' ? formatBasisPoints : formatPaise
    const feePart = `${t(`extend.type.${String(type)}`)}: ${amount(Number(fee))}`
    return `${feePart}, ${t('extend.commission')} ${amount(Number(commission))}`
  }
  return (
    <TermsDrawer
      product={product}
      title={title}
      frame={frame}
      part="extend"
      fields={[
        { name: 'enabled', label: t('extend.enabled'), text: (on) => t(on ? 'ui:yes' : 'ui:no') },
        { name: 'days', label: t('extend.days') },
        {
          name: 'feeType',
          together: ['fee', 'commission'],
          label: t('extend.fee'),
          text: feeText,
        },
        { name: 'maxTimes', label: t('extend.maxTimes') },
      ]}
    >
      <SwitchField name="enabled" label={t('extend.enabled')} text={t('extend.enabledHelp')} />
      <NumberField name="days" label={t('extend.days')} min={1} max={365} />
      <SelectField
        name="feeType"
        label={t('extend.feeType')}
        options={FEE_TYPES.map((value) => ({ value, label: t(`extend.type.${value}`) }))}
      />
      <Amount name="fee" label={t('extend.fee')} help={t('extend.feeHelp')} />
      <Amount name="commission" label={t('extend.commission')} help={t('extend.commissionHelp')} />
      <NumberField
        name="maxTimes"
        label={t('extend.maxTimes')}
        min={1}
        max={2}
        help={t('extend.maxTimesHelp')}
      />
    </TermsDrawer>
  )
}
