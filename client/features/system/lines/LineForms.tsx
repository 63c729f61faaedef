import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { alsoRequired, useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import {
  addLine,
  bindSeat,
  editLine,
  LINE_KINDS,
  LINE_STATES,
  linePeople,
} from '#shared/system/lines-api.ts'
import type { Line } from './line-types.ts'

type Values = InputOf<typeof editLine>
const OMIT = ['lineId', 'version'] as const

export function LineForm({
  line,
  onDone,
  onClose,
}: {
  line: Line | null
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const add = useSend(addLine, { quiet: true })
  const edit = useSend(editLine, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: line === null ? addLine.input : editLine.input,
    omit: OMIT,
    values: {
      lineId: line?.lineId ?? '',
      version: line?.version ?? 1,
      number: line?.number ?? '',
      kind: line?.kind ?? 'service',
      vendorCode: line?.vendorCode ?? '',
      seatNumber: line?.seatNumber ?? '',
      concurrency: line?.concurrency ?? 1,
      dailyCap: line?.dailyCap ?? 200,
      status: line?.status ?? 'enabled',
    },
    onSubmit: (values) => (line === null ? add.mutateAsync(values) : edit.mutateAsync(values)),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('saved'), key: 'system' })
      onDone()
      onClose()
    },
  })
  const label = (name: string) => t(`line.col.${name}`)
  return (
    <FormDialog
      isOpen
      width={520}
      title={line === null ? t('line.add') : t('line.editTitle', { number: line.number })}
      form={form}
      submitRefused={offline}
      onClose={onClose}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'number', label: label('number') },
          { name: 'kind', label: label('kind'), text: (kind) => t(`line.kind.${String(kind)}`) },
          { name: 'vendorCode', label: label('vendorCode') },
          { name: 'seatNumber', label: label('seatNumber') },
          { name: 'concurrency', label: label('concurrency') },
          { name: 'dailyCap', label: label('dailyCap') },
          {
            name: 'status',
            label: label('status'),
            text: (status) => t(`state.${String(status)}`),
          },
        ]}
      />
      <TextField name="number" label={label('number')} type="tel" maxLength={20} />
      <SelectField
        name="kind"
        label={label('kind')}
        options={LINE_KINDS.map((value) => ({ value, label: t(`line.kind.${value}`) }))}
      />
      <TextField name="vendorCode" label={label('vendorCode')} maxLength={40} />
      <TextField
        name="seatNumber"
        label={label('seatNumber')}
        maxLength={20}
        help={t('line.seatHelp')}
      />
      <NumberField name="concurrency" label={label('concurrency')} min={1} max={500} />
      <NumberField name="dailyCap" label={label('dailyCap')} min={1} max={1_000_000} />
      <SelectField
        name="status"
        label={label('status')}
        options={LINE_STATES.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
    </FormDialog>
  )
}

export function BindForm({
  line,
  onDone,
  onClose,
}: {
  line: Line
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const people = useQuery({ ...queryOf(linePeople, {}, { quiet: true }), staleTime: 30_000 })
  const send = useSend(bindSeat, { quiet: true })
  const form = useSchemaForm<InputOf<typeof bindSeat>>({
    schema: bindSeat.input,
    omit: OMIT,
    values: { lineId: line.lineId, version: line.version, userId: line.boundUserId ?? '' },
    check: ({ userId }) => (userId ? null : { userId: { key: 'ui:fault.required', params: {} } }),
    onSubmit: (values) => send.mutateAsync(values),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('saved'), key: 'system' })
      onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      isOpen
      title={t('line.bindTitle', { number: line.number })}
      form={alsoRequired(form, ['userId'])}
      submitText={t('line.bind')}
      submitRefused={offline}
      onClose={onClose}
    >
      <SelectField
        name="userId"
        label={t('line.col.boundName')}
        options={(people.data?.rows ?? []).map(({ userId, userName, account }) => ({
          value: userId,
          label: `${userName} (${account})`,
        }))}
        help={t('line.bindHelp')}
      />
    </FormDialog>
  )
}
