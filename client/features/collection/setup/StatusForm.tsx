import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useSend } from '#client/session/query.ts'
import { SelectField } from '#client/ui/form/fields.tsx'
import { FormDialog } from '#client/ui/form/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/form/use-schema-form.ts'
import { PERSON_STATUSES, setPersonStatus } from '#shared/collection/setup-api.ts'
import type { collectionTree } from '#shared/collection/tree-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { BulkResult } from '#shared/kernel/page.ts'
import type { Person } from './setup-types.ts'

const OMIT = ['userIds'] as const

/** Switches accounts on or off and decides what happens to their open cases. */
export function StatusForm({
  people,
  tree,
  onSend,
  onClose,
}: {
  people: readonly Person[]
  tree: DataOf<typeof collectionTree> | undefined
  onSend: (send: (userIds: string[]) => Promise<BulkResult>) => Promise<void>
  onClose: () => void
}): ReactNode {
  const t = useText('collection')
  const { reason: offline } = useConnection()
  const send = useSend(setPersonStatus, { quiet: true })
  const ids = new Set(people.map((person) => person.userId))
  const cases = people.reduce((sum, person) => sum + person.openCases, 0)
  const form = useSchemaForm<InputOf<typeof setPersonStatus>>({
    schema: setPersonStatus.input,
    omit: OMIT,
    values: {
      userIds: [...ids],
      status: people[0]?.status === 'normal' ? 'frozen' : 'normal',
      moveCasesTo: '',
    },
    onSubmit: (values) => onSend((userIds) => send.mutateAsync({ ...values, userIds })),
    onDone: onClose,
  })
  const colleagues = (tree?.collectors ?? []).filter((one) => one.enabled && !ids.has(one.userId))
  return (
    <FormDialog
      isOpen
      title={
        people.length === 1
          ? t('setup.status')
          : `${t('setup.status')} · ${t('ui:confirm.rows', { count: people.length })}`
      }
      form={form}
      submitText={t('setup.save')}
      submitRefused={offline}
      intent="danger"
      onClose={onClose}
    >
      <p>
        {people
          .map((person) => person.name)
          .slice(0, 8)
          .join(', ')}
      </p>
      <SelectField
        name="status"
        label={t('setup.col.accountStatus')}
        options={PERSON_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
      />
      <SelectField
        name="moveCasesTo"
        label={t('setup.moveCasesTo')}
        placeholder={t('setup.backToPool')}
        options={colleagues.map(({ userId, userName, account, openCases }) => ({
          value: userId,
          label: `${userName} (${account}) · ${openCases}`,
        }))}
      />
      <p className="collection-hint is-warning">{t('setup.statusHint', { cases })}</p>
    </FormDialog>
  )
}
