import { type Text, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { Field } from '#client/ui/form/Field.tsx'
import { PercentInput } from '#client/ui/form/fields.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import { isPenaltyRight } from '#shared/products/product-terms.ts'
import { editPenalty, productPenalty } from '#shared/products/products-api.ts'
import { type Range, RangeTable, rangeText } from './RangeTable.tsx'
import { type LoadedTerms, TermsDrawer, type TermsFormProps, withTerms } from './TermsForm.tsx'

type Values = InputOf<typeof editPenalty>
type Penalty = Values['penalty'][number]
interface PenaltyRow extends Range {
  rate: number
  capRatio: number | null
}

const OMIT = ['productId', 'version'] as const

export const PenaltyForm = withTerms(productPenalty, 'penalty.title', Form)

function Form({
  product,
  terms,
  title,
  onDone,
  onClose,
}: TermsFormProps & LoadedTerms<typeof productPenalty>): ReactNode {
  const t = useText('products')
  const send = useSend(editPenalty, { quiet: true })
  const { frame } = useSaveForm<Values>({
    schema: editPenalty.input,
    omit: OMIT,
    values: { productId: product.productId, version: terms.version, penalty: terms.penalty },
    check: ({ penalty }) =>
      isPenaltyRight(penalty) ? null : { penalty: { key: 'products:fault.ranges', params: {} } },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('saved'),
    onDone,
    onClose,
  })
  return (
    <TermsDrawer
      product={product}
      title={title}
      width={620}
      frame={frame}
      fields={[
        {
          name: 'penalty',
          label: t('penalty.label'),
          text: (value) => penaltyText(value as Penalty[], t),
        },
      ]}
    >
      <p className="products-hint">{t('penalty.hint')}</p>
      <Field name="penalty" label={t('penalty.label')}>
        {(control) => (
          <RangeTable<PenaltyRow>
            label={t('penalty.label')}
            heads={[t('penalty.days'), t('penalty.rate'), t('penalty.cap')]}
            rows={(control.value as Penalty[]).map(({ dayFrom, dayTo, rate, capRatio }) => ({
              from: dayFrom,
              to: dayTo,
              rate,
              capRatio,
            }))}
            blank={{ rate: 0, capRatio: null }}
            addText={t('range.add')}
            cells={(row, set, name) => [
              <PercentInput
                key="rate"
                value={row.rate}
                aria-label={`${t('penalty.rate')} · ${name}`}
                onChange={(rate) => set({ rate: rate ?? Number.NaN })}
              />,
              <PercentInput
                key="cap"
                value={row.capRatio}
                placeholder={t('penalty.noCap')}
                aria-label={`${t('penalty.cap')} · ${name}`}
                onChange={(capRatio) => set({ capRatio })}
              />,
            ]}
            onChange={(rows) =>
              control.onChange(
                rows.map(({ from, to, rate, capRatio }) => ({
                  dayFrom: from,
                  dayTo: to,
                  rate,
                  capRatio,
                })),
              )
            }
          />
        )}
      </Field>
    </TermsDrawer>
  )
}

/** `1–7: 0.1 %; 8–…: 0.1 % (Cap in all 5 %)` */
function penaltyText(penalty: readonly Penalty[], t: Text): string {
  return (
    penalty
      .map(({ dayFrom, dayTo, rate, capRatio }) => {
        const fine = `${rangeText(dayFrom, dayTo)}: ${formatBasisPoints(rate)}`
        return capRatio === null
          ? fine
          : `${fine} (${t('penalty.cap')} ${formatBasisPoints(capRatio)})`
      })
      .join('; ') || '—'
  )
}
