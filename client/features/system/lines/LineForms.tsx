import { useText } from '#client/base/use-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { queryOf, useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { NumberField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
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
  const { form, frame } = useRowForm({
    row: line,
    add: addLine,
    edit: editLine,
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
    saved: t('saved'),
    onDone,
    onClose,
  })
  const label = (name: string) => t(`line.col.${name}`)
  return (
    <FormDialog
      {...frame}
      width={520}
      title={line === null ? t('line.add') : t('line.editTitle', { number: line.number })}
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
  const people = useQuery({ ...queryOf(linePeople, {}, { quiet: true }), staleTime: 30_000 })
  const send = useSend(bindSeat, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof bindSeat>>({
    schema: bindSeat.input,
    omit: OMIT,
    values: { lineId: line.lineId, version: line.version, userId: line.boundUserId ?? '' },
    alsoRequired: () => ['userId'],
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('saved'),
    onDone,
    onClose,
  })
  return (
    <FormDialog
      {...frame}
      title={t('line.bindTitle', { number: line.number })}
      submitText={t('line.bind')}
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
