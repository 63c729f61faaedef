import type { FieldValues } from 'react-hook-form'
import { useSend } from '#client/session/query.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { type SaveForm, type SaveFormOptions, useSaveForm } from './use-save-form.ts'

interface RowFormSpec<
  Add extends Endpoint,
  Edit extends Endpoint,
  Values extends FieldValues & InputOf<Add> & InputOf<Edit>,
> extends Omit<SaveFormOptions<Values>, 'schema' | 'onSubmit'> {
  /** Null: a new one is added. */
  row: object | null
  add: Add
  edit: Edit
  /** What is sent, where it is not the values as they are. */
  toSend?: (values: Values) => Values
}

/** The form of one row of a list: it adds or changes the row, confirms that, and closes. */
export function useRowForm<
  Add extends Endpoint,
  Edit extends Endpoint,
  Values extends FieldValues & InputOf<Add> & InputOf<Edit> = InputOf<Add> & InputOf<Edit>,
>({
  row,
  add,
  edit,
  toSend = (values) => values,
  ...options
}: RowFormSpec<Add, Edit, Values>): SaveForm<Values> {
  const adding = useSend(add, { quiet: true })
  const editing = useSend(edit, { quiet: true })
  return useSaveForm<Values>({
    ...options,
    schema: row === null ? add.input : edit.input,
    // the form sends the fields that the schema of the call names
    onSubmit: (values) =>
      row === null ? adding.mutateAsync(toSend(values)) : editing.mutateAsync(toSend(values)),
  })
}
