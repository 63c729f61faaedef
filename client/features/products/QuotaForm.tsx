import { type Text, useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { Field } from '#client/ui/form/Field.tsx'
import { MoneyInput } from '#client/ui/form/MoneyInput.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatPaise } from '#shared/kernel/money.ts'
import { CUSTOMER_CLASSES, isQuotaRight } from '#shared/products/product-terms.ts'
import { editQuota, productQuota } from '#shared/products/products-api.ts'
import { type Range, RangeTable, rangeText } from './RangeTable.tsx'
import { type LoadedTerms, TermsDrawer, type TermsFormProps, withTerms } from './TermsForm.tsx'

type Values = InputOf<typeof editQuota>
type Quota = Values['quota'][number]
interface QuotaRow extends Range {
  limit: number
  term: number
}

const OMIT = ['productId', 'version'] as const

export const QuotaForm = withTerms(productQuota, 'quota.title', Form)

function Form({
  product,
  terms,
  title,
  onDone,
  onClose,
}: TermsFormProps & LoadedTerms<typeof productQuota>): ReactNode {
  const t = useText('products')
  const send = useSend(editQuota, { quiet: true })
  const { frame } = useSaveForm<Values>({
    schema: editQuota.input,
    omit: OMIT,
    values: { productId: product.productId, version: terms.version, quota: terms.quota },
    check: ({ quota }) => {
      const why = !isQuotaRight(quota)
        ? 'ranges'
        : quota.some(({ limit }) => limit < product.minAmount || limit > product.maxAmount)
          ? 'limit'
          : quota.some(({ term }) => term > product.periods)
            ? 'term'
            : null
      return why === null ? null : { quota: { key: `products:fault.${why}`, params: {} } }
    },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('saved'),
    onDone,
    onClose,
  })
  return (
    <TermsDrawer
      product={product}
      title={title}
      width={640}
      frame={frame}
      fields={[
        {
          name: 'quota',
          label: t('quota.label'),
          text: (value) => quotaText(value as Quota[], t),
        },
      ]}
    >
      <p className="products-hint">
        {t('quota.hint', {
          min: formatPaise(product.minAmount),
          max: formatPaise(product.maxAmount),
          periods: product.periods,
        })}
      </p>
      <Field name="quota" label={t('quota.label')}>
        {(control) => {
          const all = control.value as Quota[]
          return CUSTOMER_CLASSES.map((customerClass) => (
            <section key={customerClass} className="products-class">
              <h3>{t(`class.${customerClass}`)}</h3>
              <RangeTable<QuotaRow>
                label={t(`class.${customerClass}`)}
                heads={[t('quota.loans'), t('quota.limit'), t('quota.term')]}
                rows={all
                  .filter((part) => part.customerClass === customerClass)
                  .map(({ orderNoFrom, orderNoTo, limit, term }) => ({
                    from: orderNoFrom,
                    to: orderNoTo,
                    limit,
                    term,
                  }))}
                blank={{ limit: product.maxAmount, term: product.periods }}
                addText={t('range.add')}
                cells={(row, set, name) => [
                  <MoneyInput
                    key="limit"
                    value={row.limit}
                    aria-label={`${t('quota.limit')} · ${name}`}
                    onChange={(limit) => set({ limit: limit ?? Number.NaN })}
                  />,
                  <input
                    key="term"
                    className="bp6-input tabular"
                    type="number"
                    min={1}
                    max={product.periods}
                    value={Number.isNaN(row.term) ? '' : row.term}
                    aria-label={`${t('quota.term')} · ${name}`}
                    onChange={(event) => set({ term: event.target.valueAsNumber })}
                  />,
                ]}
                onChange={(rows) =>
                  control.onChange([
                    ...all.filter((part) => part.customerClass !== customerClass),
                    ...rows.map(({ from, to, limit, term }) => ({
                      customerClass,
                      orderNoFrom: from,
                      orderNoTo: to,
                      limit,
                      term,
                    })),
                  ])
                }
              />
            </section>
          ))
        }}
      </Field>
    </TermsDrawer>
  )
}

/** `New borrowers 1–2: ₹9,000.00 × 1; 3–…: ₹40,000.00 × 2`, by class. */
function quotaText(quota: readonly Quota[], t: Text): string {
  const classes = CUSTOMER_CLASSES.flatMap((customerClass) => {
    const own = quota.filter((part) => part.customerClass === customerClass)
    if (own.length === 0) return []
    const ranges = own.map(
      ({ orderNoFrom, orderNoTo, limit, term }) =>
        `${rangeText(orderNoFrom, orderNoTo)}: ${formatPaise(limit)} × ${term}`,
    )
    return [`${t(`class.${customerClass}`)} ${ranges.join('; ')}`]
  })
  return classes.join(' · ') || '—'
}
