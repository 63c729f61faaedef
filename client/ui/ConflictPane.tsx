/** In a form refused by G409: theirs beside mine where both changed; afterwards the form sends on top of the new version. */
import './conflict.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { FieldValues, Path, PathValue } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type ConflictField, differences, freshRowOf } from './conflict.ts'
import type { SchemaForm } from './useSchemaForm.ts'

interface ConflictPaneProps<Values extends FieldValues> {
  form: SchemaForm<Values>
  fields: readonly ConflictField[]
}

export function ConflictPane<Values extends FieldValues>({ form, fields }: ConflictPaneProps<Values>): ReactNode {
  const { t } = useTranslation('ui')
  const id = useId()
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const theirs = freshRowOf(form.refusedBy)
  if (!theirs) return null
  const { ask, take } = differences(fields, form.form.formState.defaultValues ?? {}, form.form.getValues(), theirs)
  const set = (name: string, value: unknown) => form.form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true, shouldValidate: true })

  async function resolve(row: Record<string, unknown>): Promise<void> {
    for (const name of [...take, ...taken]) set(name, row[name])
    set('version', row.version)
    setTaken(new Set())
    await form.submit()
  }
  return (
    <div className="conflict">
      {ask.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('conflict.field')}</th>
              <th scope="col">{t('conflict.mine')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {ask.map(({ name, label, mine, theirs: other, text = String }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                {[{ own: true, value: mine }, { own: false, value: other }].map(({ own, value }) => (
                  <td key={String(own)}>
                    <label className="check">
                      <input
                        type="radio"
                        name={`${id}-${name}`}
                        checked={taken.has(name) !== own}
                        onChange={() => setTaken((now) => (own ? new Set([...now].filter((one) => one !== name)) : new Set(now).add(name)))}
                      />
                      {value === null || value === undefined || value === '' ? '—' : text(value)}
                    </label>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p>{t('conflict.merged')}</p>
      )}
      <Button intent="primary" text={t('conflict.send')} loading={form.busy} onClick={() => void resolve(theirs)} />
    </div>
  )
}
