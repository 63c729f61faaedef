import { useText } from '#client/base/use-text.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { AreaField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addConfig, updateConfig } from '#shared/system/config-api.ts'
import { fitsParameter, PARAMETER_TYPES } from '#shared/system/parameter-value.ts'
import type { Parameter } from './parameter-types.ts'
import { parameterName } from './parameter-name.ts'

type Values = InputOf<typeof addConfig> & InputOf<typeof updateConfig>
const NEW_OMIT = ['configId', 'version'] as const
const EDIT_OMIT = ['configId', 'version', 'number', 'code', 'valueType'] as const

export function ParameterForm({
  parameter,
  proposed,
  onDone,
  onClose,
}: {
  parameter: Parameter | null
  /** A value that is not saved yet, as the form begins. */
  proposed?: string
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('system', 'parameters')
  const add = useSend(addConfig, { quiet: true })
  const edit = useSend(updateConfig, { quiet: true })
  /** A change of a built-in parameter is confirmed before it is sent. */
  const [confirming, setConfirming] = useState<{
    value: string
    answer: (yes: boolean) => void
  } | null>(null)
  const { form, frame } = useSaveForm<Values>({
    schema: parameter === null ? addConfig.input : updateConfig.input,
    omit: parameter === null ? NEW_OMIT : EDIT_OMIT,
    values: {
      configId: parameter?.configId ?? '',
      version: parameter?.version ?? 1,
      number: parameter?.number ?? '',
      code: parameter?.code ?? '',
      name: parameter?.name ?? '',
      value: parameter?.value ?? '',
      valueType: parameter?.valueType ?? 'text',
      remark: parameter?.remark ?? '',
    },
    check: (values) =>
      fitsParameter(
        parameter?.valueType ?? values.valueType,
        values.value,
        parameter?.builtIn ? parameter.code : null,
      )
        ? null
        : { value: { key: 'system:fault.value', params: {} } },
    onSubmit: async (values) => {
      if (parameter === null) return add.mutateAsync(values)
      if (
        parameter.builtIn &&
        values.value !== parameter.value &&
        !(await new Promise<boolean>((answer) => setConfirming({ value: values.value, answer })))
      )
        return Promise.reject(new Error(t('conf.notSaved')))
      return edit.mutateAsync(values)
    },
    saved: t('saved'),
    onDone,
    onClose,
  })
  const { setValue } = form.form
  useEffect(() => {
    if (proposed !== undefined) setValue('value', proposed, { shouldDirty: true })
  }, [proposed, setValue])
  return (
    <>
      <FormDialog
        {...frame}
        width={560}
        title={parameter === null ? t('conf.add') : t('conf.editTitle', { code: parameter.code })}
      >
        <ConflictPane
          form={form}
          fields={[
            { name: 'name', label: t('conf.col.name') },
            { name: 'value', label: t('conf.col.value') },
            { name: 'remark', label: t('conf.col.remark') },
          ]}
        />
        {parameter === null && (
          <TextField name="number" label={t('conf.col.number')} maxLength={40} />
        )}
        {parameter === null && (
          <TextField name="code" label={t('conf.col.code')} maxLength={80} help={t('fault.code')} />
        )}
        {parameter?.builtIn ? (
          // built-in parameters keep their stored name
          <div className="field">
            <span className="field-label">{t('conf.col.name')}</span>
            <p>{parameterName(t, parameter)}</p>
          </div>
        ) : (
          <TextField name="name" label={t('conf.col.name')} maxLength={80} />
        )}
        {parameter === null && (
          <SelectField
            name="valueType"
            label={t('conf.col.valueType')}
            options={PARAMETER_TYPES.map((value) => ({ value, label: t(`conf.type.${value}`) }))}
          />
        )}
        <AreaField
          name="value"
          label={t('conf.col.value')}
          rows={parameter?.valueType === 'json' ? 6 : 2}
          maxLength={2000}
          {...(parameter === null
            ? {}
            : { help: t('conf.typeIs', { type: t(`conf.type.${parameter.valueType}`) }) })}
        />
        <TextField name="remark" label={t('conf.col.remark')} maxLength={300} />
      </FormDialog>
      <ConfirmAction
        isOpen={confirming !== null}
        intent="warning"
        title={t('conf.ask', { code: parameter?.code ?? '' })}
        confirmText={t('conf.change')}
        onConfirm={async () => confirming?.answer(true)}
        onClose={() => {
          confirming?.answer(false)
          setConfirming(null)
        }}
      >
        <p>{parameter && parameterName(t, parameter)}</p>
        <p>
          {t('conf.askMeans', { before: parameter?.value ?? '', after: confirming?.value ?? '' })}
        </p>
      </ConfirmAction>
    </>
  )
}
