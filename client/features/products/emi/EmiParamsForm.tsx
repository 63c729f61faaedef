import type { ReactNode } from 'react'
import { useWatch as useValue } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { MoneyField, NumberField, PercentField, SelectField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { Faults } from '#client/ui/form/fault.ts'
import type { Unfinished } from '#client/ui/form/form.ts'
import { type Blank, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { formatBasisPoints, formatPaise } from '#shared/kernel/money.ts'
import { EmiConfigFields, saveEmiConfig } from '#shared/products/emi-api.ts'
import { emiFault } from '#shared/products/emi-offer.ts'
import { PREPAYMENT_EFFECTS } from '#shared/repayments/emi/prepayment-effects.ts'
import { useSaveQuestion } from '../use-save-question.tsx'
import { EmiPlan } from './EmiPlan.tsx'
import type { EmiConfigRow } from './emi-types.ts'
import { InstalmentsField } from './InstalmentsField.tsx'

type Config = InputOf<typeof saveEmiConfig>['value']
type Values = Config & { version: number }

const BLANK: Blank<Config> = {
  minAmount: null,
  maxAmount: null,
  instalments: [],
  annualRate: null,
  processingFee: null,
  dueDay: 5,
  graceDays: 0,
  bounceCharge: 0,
  prepayment: 'fewerInstalments',
  coolingOffDays: 3,
}

export function EmiParamsForm({
  row,
  onDone,
  onClose,
}: {
  row: EmiConfigRow
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('products')
  const { reason: offline } = useConnection()
  const save = useSend(saveEmiConfig, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: EmiConfigFields,
    // cast: the schema requires what is blank
    values: { ...BLANK, ...row.config, version: row.version } as Values,
    check: (config) => faultsOf(config, row.gstRate),
    // the version is not a field of the form
    async onSubmit(value): Promise<unknown> {
      return save.mutateAsync({
        appId: row.appId,
        version: form.form.getValues('version'),
        value,
      })
    },
    onDone: () => {
      const message = t(row.config === null ? 'emi.added' : 'emi.saved')
      void showMessage({ intent: 'success', message, key: 'emi' })
      onDone()
      onClose()
    },
  })
  const [shown, question] = useSaveQuestion(form, row.productName ?? row.appName)
  const config = useValue({ control: form.form.control })
  const label = (name: string) => t(`emi.col.${name}`)
  const money = (paise: unknown) => formatPaise(Number(paise))
  const rate = (points: unknown) => formatBasisPoints(Number(points))
  return (
    <FormDrawer
      isOpen
      width={640}
      title={t('emi.paramsTitle', { name: row.appName })}
      form={shown}
      submitText={t('save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <ConflictPane
        form={form}
        part="config"
        fields={[
          { name: 'minAmount', label: label('minAmount'), text: money },
          { name: 'maxAmount', label: label('maxAmount'), text: money },
          { name: 'instalments', label: label('instalments') },
          { name: 'annualRate', label: label('annualRate'), text: rate },
          { name: 'processingFee', label: label('processingFee'), text: rate },
          { name: 'dueDay', label: label('dueDay') },
          { name: 'graceDays', label: label('graceDays') },
          { name: 'bounceCharge', label: label('bounceCharge'), text: money },
          {
            name: 'prepayment',
            label: label('prepayment'),
            text: (effect) => t(`emi.effect.${String(effect)}`),
          },
          { name: 'coolingOffDays', label: label('coolingOffDays') },
        ]}
      />
      <p className="products-hint">{t('emi.newOrdersOnly')}</p>
      {question}
      <MoneyField name="minAmount" label={label('minAmount')} />
      <MoneyField name="maxAmount" label={label('maxAmount')} />
      <InstalmentsField
        name="instalments"
        label={label('instalments')}
        help={t('emi.instalmentsHelp')}
      />
      <PercentField name="annualRate" label={label('annualRate')} help={t('emi.annualRateHelp')} />
      <PercentField
        name="processingFee"
        label={label('processingFee')}
        help={t('emi.processingFeeHelp', { rate: formatBasisPoints(row.gstRate) })}
      />
      <NumberField
        name="dueDay"
        label={label('dueDay')}
        min={1}
        max={28}
        help={t('emi.dueDayHelp')}
      />
      <NumberField
        name="graceDays"
        label={label('graceDays')}
        min={0}
        max={30}
        help={t('emi.graceDaysHelp')}
      />
      <MoneyField
        name="bounceCharge"
        label={label('bounceCharge')}
        help={t('emi.bounceChargeHelp')}
      />
      <SelectField
        name="prepayment"
        label={label('prepayment')}
        help={t('emi.prepaymentHelp')}
        options={PREPAYMENT_EFFECTS.map((value) => ({ value, label: t(`emi.effect.${value}`) }))}
      />
      <NumberField
        name="coolingOffDays"
        label={label('coolingOffDays')}
        min={1}
        max={30}
        help={t('coolingOffHelp')}
      />
      <EmiPlan config={config} gstRate={row.gstRate} />
    </FormDrawer>
  )
}

/** A plan can be made only of whole numbers and at least one choice of instalments. */
function faultsOf(config: Unfinished<Values>, gstRate: number): Faults | null {
  const isWhole = [
    config.minAmount,
    config.maxAmount,
    config.annualRate,
    config.processingFee,
  ].every(Number.isSafeInteger)
  if (!isWhole || config.instalments.length === 0) return null
  // cast: each number was read
  const faults = Object.entries(emiFault(config as Values, gstRate))
  return Object.fromEntries(faults.map(([name, key]) => [name, { key, params: {} }]))
}
