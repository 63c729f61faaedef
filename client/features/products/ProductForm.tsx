import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { checkFiles, FilesField, useFormFiles } from '#client/features/files/public.tsx'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import {
  AreaField,
  MoneyField,
  NumberField,
  PercentField,
  SelectField,
  SwitchField,
  TextField,
} from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { Blank } from '#client/ui/form/use-schema-form.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import {
  addProduct,
  editProduct,
  type listMerchants,
  LOGO_FILE,
  type productOptions,
  TERMS_FILE,
} from '#shared/products/products-api.ts'
import { LogoField } from './LogoField.tsx'
import type { Product } from './product-types.ts'
import { SheetFaults, type SheetFault, sheetFaultsOf } from './SheetFaults.tsx'
import { useSaveQuestion } from './use-save-question.tsx'

type Values = InputOf<typeof editProduct> & { logo: readonly File[]; template: readonly File[] }
interface ProductFormProps {
  product: Product | null
  apps: DataOf<typeof productOptions>['apps']
  merchants: DataOf<typeof listMerchants>
  /** Downloads the terms workbook; null without permission. */
  onTemplate: (() => void) | null
  onDone: () => void
  onClose: () => void
}

const OMIT = ['productId', 'version'] as const
/** The fields that become the terms of new orders. */
const TERMS = [
  'minAmount',
  'maxAmount',
  'periods',
  'daysPerPeriod',
  'serviceRate',
  'dailyRate',
  'coolingOffDays',
  'microfinance',
] as const
const NO_FILES = { removeLogo: false, logo: [], template: [] }
const BLANK: Blank<Omit<Values, (typeof OMIT)[number] | keyof typeof NO_FILES>> = {
  name: '',
  appId: '',
  merchantId: '',
  minAmount: null,
  maxAmount: null,
  tenureDays: null,
  periods: 1,
  daysPerPeriod: null,
  serviceRate: null,
  dailyRate: null,
  coolingOffDays: 1,
  microfinance: false,
  description: '',
  sort: 0,
}

/** Terms that an EMI product has among the EMI parameters of its app. */
function EvenTerms(): ReactNode {
  const t = useText('products')
  return (
    <>
      <MoneyField name="minAmount" label={t('col.minAmount')} />
      <MoneyField name="maxAmount" label={t('col.maxAmount')} />
      <NumberField name="periods" label={t('col.periods')} min={1} max={36} />
      <NumberField name="daysPerPeriod" label={t('col.daysPerPeriod')} min={1} max={365} />
      <NumberField name="tenureDays" label={t('col.tenureDays')} disabled help={t('tenureHelp')} />
      <PercentField name="serviceRate" label={t('col.serviceRate')} help={t('serviceRateHelp')} />
      <PercentField name="dailyRate" label={t('col.dailyRate')} help={t('dailyRateHelp')} />
      <NumberField
        name="coolingOffDays"
        label={t('col.coolingOffDays')}
        min={1}
        max={30}
        help={t('coolingOffHelp')}
      />
    </>
  )
}

export function ProductForm({
  product,
  apps,
  merchants,
  onTemplate,
  onDone,
  onClose,
}: ProductFormProps): ReactNode {
  const t = useText('products')
  const add = useSend(addProduct, { quiet: true })
  const edit = useSend(editProduct, { quiet: true })
  /** Faults of the uploaded workbook. */
  const [faults, setFaults] = useState<{ file: File | undefined; rows: readonly SheetFault[] }>({
    file: undefined,
    rows: [],
  })
  const { form, frame } = useSaveForm<Values>({
    schema: product === null ? addProduct.input : editProduct.input,
    omit: OMIT,
    // cast: the schema requires what is blank
    values: (product === null
      ? { productId: '', version: 1, ...BLANK, ...NO_FILES }
      : { ...product, merchantId: product.merchantId ?? '', ...NO_FILES }) as Values,
    check({ minAmount, maxAmount, periods, daysPerPeriod, tenureDays }) {
      const days = (periods ?? Number.NaN) * (daysPerPeriod ?? Number.NaN)
      return {
        ...((maxAmount ?? Infinity) < (minAmount ?? 0)
          ? { maxAmount: { key: 'products:fault.amounts', params: {} } }
          : {}),
        ...(product?.kind === 'emi' || Number.isNaN(days) || days === tenureDays
          ? {}
          : { tenureDays: { key: 'products:fault.tenure', params: {} } }),
      }
    },
    async onSubmit({ productId, version, ...fields }) {
      const chosen = form.form.getValues(['logo', 'template'])
      const logo = await checkFiles(chosen[0], LOGO_FILE)
      // files are sent beside the input
      if (product !== null)
        return edit.mutateAsync({ productId, version, ...fields, ...({ logo } as object) })
      const template = await checkFiles(chosen[1], TERMS_FILE)
      return add
        .mutateAsync({ ...fields, ...({ logo, template } as object) })
        .catch((error: unknown) => {
          setFaults({ file: template[0], rows: sheetFaultsOf(error) })
          throw error
        })
    },
    saved: t(product === null ? 'added' : 'saved'),
    onDone,
    onClose,
  })
  const withLogo = useFormFiles(form, LOGO_FILE, editProduct.input)
  const withFiles = useFormFiles(withLogo, TERMS_FILE, addProduct.input)
  const { dirtyFields } = withFiles.form.formState
  const [shown, question] = useSaveQuestion(
    withFiles,
    product?.name ?? '',
    () => product !== null && TERMS.some((name) => dirtyFields[name]),
  )
  const { control, setValue } = form.form
  const [periods, daysPerPeriod, template] = useValue({
    control,
    name: ['periods', 'daysPerPeriod', 'template'],
  })
  // an empty field counts as 0
  const tenure = periods * daysPerPeriod
  // the tenure is computed from the instalments
  useEffect(() => {
    if (Number.isInteger(tenure) && tenure > 0) setValue('tenureDays', tenure)
  }, [tenure, setValue])
  const money = (paise: unknown) => formatPaise(Number(paise))
  const rate = (points: unknown) => formatBasisPoints(Number(points))
  return (
    <FormDrawer
      {...frame}
      width={560}
      title={product === null ? t('action.add') : t('editTitle', { name: product.name })}
      form={shown}
      submitText={t('save')}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'name', label: t('col.name') },
          {
            name: 'appId',
            label: t('col.appName'),
            text: (id) => apps.find((app) => app.id === id)?.name ?? String(id),
          },
          {
            name: 'merchantId',
            label: t('col.merchantName'),
            text: (id) =>
              merchants.find((merchant) => merchant.merchantId === id)?.name ?? String(id),
          },
          { name: 'minAmount', label: t('col.minAmount'), text: money },
          { name: 'maxAmount', label: t('col.maxAmount'), text: money },
          { name: 'periods', label: t('col.periods') },
          { name: 'daysPerPeriod', label: t('col.daysPerPeriod') },
          { name: 'tenureDays', label: t('col.tenureDays') },
          { name: 'serviceRate', label: t('col.serviceRate'), text: rate },
          { name: 'dailyRate', label: t('col.dailyRate'), text: rate },
          { name: 'coolingOffDays', label: t('col.coolingOffDays') },
          {
            name: 'microfinance',
            label: t('col.microfinance'),
            text: (on) => t(on ? 'ui:yes' : 'ui:no'),
          },
          { name: 'description', label: t('col.description') },
          { name: 'sort', label: t('col.sort') },
        ]}
      />
      {product !== null && <p className="products-hint">{t('newOrdersOnly')}</p>}
      {question}
      <TextField name="name" label={t('col.name')} maxLength={60} />
      <LogoField product={product} />
      <SelectField
        name="appId"
        label={t('col.appName')}
        options={apps.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="merchantId"
        label={t('col.merchantName')}
        options={merchants.map(({ merchantId, name, status }) => ({
          value: merchantId,
          label: name,
          disabled: status === 'disabled',
        }))}
      />
      {product?.kind === 'emi' ? (
        <p className="products-hint">{t('fault.emiTerms')}</p>
      ) : (
        <EvenTerms />
      )}
      <SwitchField name="microfinance" label={t('col.microfinance')} text={t('microfinanceHelp')} />
      <AreaField name="description" label={t('col.description')} maxLength={500} />
      <NumberField name="sort" label={t('col.sort')} min={0} max={9999} help={t('sortHelp')} />
      {product === null && (
        <FilesField
          rule={TERMS_FILE}
          label={t('template.label')}
          help={t('template.help', { mb: TERMS_FILE.bytes / 1_048_576 })}
        >
          {onTemplate !== null && (
            <Button
              variant="minimal"
              size="small"
              icon="download"
              text={t('template.download')}
              onClick={onTemplate}
            />
          )}
        </FilesField>
      )}
      {faults.file === template[0] && <SheetFaults faults={faults.rows} />}
    </FormDrawer>
  )
}
