/**
 * Shown in a form refused by G409: both values where both users changed a field; afterwards the
 * form is sent on top of the new version.
 */
import './conflict.css'
import { Button } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import type { FieldValues, Path, PathValue } from 'react-hook-form'
import { useText } from '#client/base/use-text.ts'
import { type ConflictField, differences, freshRowOf, namesOf } from './conflict.ts'
import type { SchemaForm } from './use-schema-form.ts'

interface ConflictPaneProps<Values extends FieldValues> {
  form: SchemaForm<Values>
  fields: readonly ConflictField[]
  /** Part of the fresh row that contains the fields, when they are not on the row itself. */
  part?: string
}

export function ConflictPane<Values extends FieldValues>({
  form,
  fields,
  part,
}: ConflictPaneProps<Values>): ReactNode {
  const t = useText('ui')
  const id = useId()
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const row = freshRowOf(form.refusedBy)
  if (!row) return null
  const theirs =
    part === undefined ? row : { ...(row[part] as Record<string, unknown>), version: row.version }
  const mine: Record<string, unknown> = form.form.getValues()
  const { conflicts, take } = differences(
    fields,
    form.form.formState.defaultValues ?? {},
    mine,
    theirs,
  )
  const set = (name: string, value: unknown) =>
    form.form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, {
      shouldDirty: true,
      shouldValidate: true,
    })

  async function resolve(): Promise<void> {
    const masked = new Set(fields.filter((field) => field.isMasked).flatMap(namesOf))
    for (const name of [
      ...take,
      ...fields.filter((field) => taken.has(field.name)).flatMap(namesOf),
    ])
      set(name, masked.has(name) ? '' : theirs[name])
    set('version', theirs.version)
    setTaken(new Set())
    await form.submit()
  }
  return (
    <div className="conflict">
      {conflicts.length > 0 ? (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('conflict.field')}</th>
              <th scope="col">{t('conflict.mine')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ name, label, together, mine: own, theirs: other, text = String }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                {[
                  { isMine: true, value: own, row: mine },
                  { isMine: false, value: other, row: theirs },
                ].map(({ isMine, value, row: of }) => (
                  <td key={String(isMine)}>
                    <label className="check">
                      <input
                        type="radio"
                        name={`${id}-${name}`}
                        checked={taken.has(name) !== isMine}
                        onChange={() =>
                          setTaken((now) =>
                            isMine
                              ? new Set([...now].filter((one) => one !== name))
                              : new Set(now).add(name),
                          )
                        }
                      />
                      {together === undefined &&
                      (value === null || value === undefined || value === '')
                        ? '—'
                        : text(value, of)}
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
      <Button
        intent="primary"
        text={t('conflict.send')}
        loading={form.busy}
        onClick={() => void resolve()}
      />
    </div>
  )
}
