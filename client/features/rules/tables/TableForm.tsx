/** Form of a table. Saving makes a new draft version; the one in force continues. */
import '../rules.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useRowForm } from '#client/screen/use-row-form.ts'
import { queryOf } from '#client/session/query.ts'
import { AreaField, NumberField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import type { DecisionTable } from '#shared/rules/tables/decision-table.ts'
import { addTable, editTable, tableDetail } from '#shared/rules/tables/table-api.ts'
import { ReadFileButton } from './FileButtons.tsx'
import { checkTable, TableField } from './TableField.tsx'
import type { Table, TableFields } from './table-types.ts'
import { tableName } from '../shipped-words.ts'

type Values = TableFields & { tableId: string; version: number }
interface FormProps {
  table: Table | null
  /** The version whose words a new draft begins with; the newest one without it. */
  fromVersion?: number
  onDone: () => void
  onClose: () => void
}

const OMIT = ['tableId', 'version'] as const
const EMPTY: DecisionTable = {
  inputs: ['customerClass'],
  outputs: ['limitOfIncome'],
  rows: [{ when: [null], gives: [null] }],
}

/** A draft is continued: its newest version is what the form begins with. */
export function TableForm(props: FormProps): ReactNode {
  const { table, fromVersion } = props
  const { data } = useQuery({
    ...queryOf(tableDetail, { tableId: table?.tableId ?? '' }),
    enabled: table !== null,
    gcTime: 0,
  })
  if (table !== null && data === undefined) return null
  const [latest] = data?.versions ?? []
  const proposed = data?.versions.find(({ versionNo }) => versionNo === fromVersion)
  return <FieldsForm {...props} initial={proposed ?? latest ?? null} />
}

function FieldsForm({
  table,
  initial,
  onDone,
  onClose,
}: FormProps & { initial: TableFields | null }) {
  const t = useText('rules')
  const [filesRead, setFilesRead] = useState(0)
  const { form, frame } = useRowForm<typeof addTable, typeof editTable, Values>({
    row: table,
    add: addTable,
    edit: editTable,
    omit: OMIT,
    values: {
      tableId: table?.tableId ?? '',
      version: table?.version ?? 1,
      name: initial?.name ?? '',
      order: initial?.order ?? 200,
      description: initial?.description || null,
      table: initial?.table ?? EMPTY,
    },
    check: (given) => checkTable('table', given.table),
    toSend: (given) => ({ ...given, description: given.description || null }),
    saved: t('rule.saved'),
    onDone,
    onClose,
  })
  return (
    <FormDrawer
      {...frame}
      width={1080}
      title={
        table === null
          ? t('table.add')
          : t('rule.editTitle', { name: tableName(t, table.tableId, table.name) })
      }
    >
      {table !== null && (
        <p className="rule-note">{t('table.editMeans', { n: table.latestNo + 1 })}</p>
      )}
      <div className="rule-grid">
        <TextField name="name" label={t('rule.col.name')} maxLength={80} />
        <NumberField name="order" label={t('table.col.order')} min={1} max={999} />
      </div>
      <AreaField name="description" label={t('rule.col.description')} rows={2} maxLength={300} />
      <ReadFileButton
        kind="table"
        onRead={(content) => {
          form.form.setValue('table', content.table, { shouldDirty: true })
          if (form.form.getValues('name') === '')
            form.form.setValue('name', content.name, { shouldDirty: true })
          setFilesRead(filesRead + 1)
        }}
      />
      {/* another file is another table to edit */}
      <TableField key={filesRead} name="table" label={t('table.title')} />
    </FormDrawer>
  )
}
