import { type ReactNode, useEffect } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/ConflictPane.tsx'
import { AreaField, MoneyField, NumberField, PercentField, SelectField, SwitchField, TextField } from '#client/ui/fields.tsx'
import { FormDrawer } from '#client/ui/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { addProduct, editProduct, type listMerchants, type productOptions } from '#shared/products/products-api.ts'
import type { Product } from './ProductsScreen.tsx'
import { useSay } from './use-say.ts'

type Values = InputOf<typeof editProduct>
interface ProductFormProps {
  product: Product | null
  apps: DataOf<typeof productOptions>['apps']
  merchants: DataOf<typeof listMerchants>
  onDone: () => void
  onClose: () => void
}

const OMIT = ['productId', 'version'] as const
const BLANK = { name: '', appId: '', merchantId: '', minAmount: null, maxAmount: null, tenureDays: null, periods: 1, daysPerPeriod: null, serviceRate: null, dailyRate: null, coolingOffDays: 1, microfinance: false, description: '', sort: 0 }

export function ProductForm({ product, apps, merchants, onDone, onClose }: ProductFormProps): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const add = useSend(addProduct, { quiet: true })
  const edit = useSend(editProduct, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: product === null ? addProduct.input : editProduct.input,
    omit: OMIT,
    // an empty amount is no amount yet: the schema asks for it
    values: (product === null ? { productId: '', version: 1, ...BLANK } : { ...product, merchantId: product.merchantId ?? '' }) as unknown as Values,
    check: ({ minAmount, maxAmount, periods, daysPerPeriod, tenureDays }) => ({
      ...(maxAmount < minAmount ? { maxAmount: { key: 'products:fault.amounts', params: {} } } : {}),
      ...(periods * daysPerPeriod === tenureDays ? {} : { tenureDays: { key: 'products:fault.tenure', params: {} } }),
    }),
    onSubmit: ({ productId, version, ...fields }) => (product === null ? add.mutateAsync(fields) : edit.mutateAsync({ productId, version, ...fields })),
    onDone: () => {
      void showMessage({ intent: 'success', message: t(product === null ? 'added' : 'saved'), key: 'product' })
      onDone()
      onClose()
    },
  })
  const { control, setValue } = form.form
  const [periods, daysPerPeriod] = useValue({ control, name: ['periods', 'daysPerPeriod'] })
  // a field that is empty counts as 0
  const tenure = periods * daysPerPeriod
  // the tenure follows from the instalments
  useEffect(() => {
    if (Number.isInteger(tenure) && tenure > 0) setValue('tenureDays', tenure)
  }, [tenure, setValue])
  const money = (paise: unknown) => formatPaise(Number(paise))
  const rate = (points: unknown) => formatBasisPoints(Number(points))
  return (
    <FormDrawer isOpen width={560} title={product === null ? t('action.add') : t('editTitle', { name: product.name })} form={form} submitText={t('save')} submitRefused={offline} onClose={onClose}>
      <ConflictPane
        form={form}
        fields={[
          { name: 'name', label: t('col.name') },
          { name: 'appId', label: t('col.appName'), text: (id) => apps.find((app) => app.id === id)?.name ?? String(id) },
          { name: 'merchantId', label: t('col.merchantName'), text: (id) => merchants.find((merchant) => merchant.merchantId === id)?.name ?? String(id) },
          { name: 'minAmount', label: t('col.minAmount'), text: money },
          { name: 'maxAmount', label: t('col.maxAmount'), text: money },
          { name: 'periods', label: t('col.periods') },
          { name: 'daysPerPeriod', label: t('col.daysPerPeriod') },
          { name: 'tenureDays', label: t('col.tenureDays') },
          { name: 'serviceRate', label: t('col.serviceRate'), text: rate },
          { name: 'dailyRate', label: t('col.dailyRate'), text: rate },
          { name: 'coolingOffDays', label: t('col.coolingOffDays') },
          { name: 'microfinance', label: t('col.microfinance'), text: (on) => t(on ? 'ui:yes' : 'ui:no') },
          { name: 'description', label: t('col.description') },
          { name: 'sort', label: t('col.sort') },
        ]}
      />
      {product !== null && <p className="products-hint">{t('newOrdersOnly')}</p>}
      <TextField name="name" label={t('col.name')} maxLength={60} />
      <SelectField name="appId" label={t('col.appName')} options={apps.map(({ id, name }) => ({ value: id, label: name }))} />
      <SelectField name="merchantId" label={t('col.merchantName')} options={merchants.map(({ merchantId, name, status }) => ({ value: merchantId, label: name, disabled: status === 'disabled' }))} />
      <MoneyField name="minAmount" label={t('col.minAmount')} />
      <MoneyField name="maxAmount" label={t('col.maxAmount')} />
      <NumberField name="periods" label={t('col.periods')} min={1} max={36} />
      <NumberField name="daysPerPeriod" label={t('col.daysPerPeriod')} min={1} max={365} />
      <NumberField name="tenureDays" label={t('col.tenureDays')} disabled help={t('tenureHelp')} />
      <PercentField name="serviceRate" label={t('col.serviceRate')} help={t('serviceRateHelp')} />
      <PercentField name="dailyRate" label={t('col.dailyRate')} help={t('dailyRateHelp')} />
      <NumberField name="coolingOffDays" label={t('col.coolingOffDays')} min={1} max={30} help={t('coolingOffHelp')} />
      <SwitchField name="microfinance" label={t('col.microfinance')} text={t('microfinanceHelp')} />
      <AreaField name="description" label={t('col.description')} maxLength={500} />
      <NumberField name="sort" label={t('col.sort')} min={0} max={9999} help={t('sortHelp')} />
    </FormDrawer>
  )
}
