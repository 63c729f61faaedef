import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { TextField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { addGroup, type listGroups } from '#shared/products/apps-api.ts'

/** A new group, with those there are beside it, so that none is made twice under another name. */
export function GroupForm({
  groups,
  onDone,
  onClose,
}: {
  groups: DataOf<typeof listGroups>
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('products')
  const send = useSend(addGroup, { quiet: true })
  const { frame } = useSaveForm<InputOf<typeof addGroup>>({
    schema: addGroup.input,
    values: { name: '', remark: '' },
    onSubmit: (values) => send.mutateAsync(values),
    saved: t('app.groupSaved'),
    onDone,
    onClose,
  })
  return (
    <FormDialog {...frame} title={t('app.addGroup')} submitText={t('save')}>
      {groups.length > 0 && (
        <p className="products-hint">
          {t('app.groups', { names: groups.map(({ name }) => name).join(', ') })}
        </p>
      )}
      <TextField name="name" label={t('app.col.groupName')} maxLength={60} />
      <TextField name="remark" label={t('app.remark')} maxLength={200} />
    </FormDialog>
  )
}
