import type { ReactNode } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { SelectField } from '#client/ui/fields.tsx'
import { FormDialog } from '#client/ui/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import { type collectionTree, PERSON_STATUSES, setPersonStatus } from '#shared/collection/setup-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { useSay } from '../use-say.ts'
import type { Person } from './PersonsScreen.tsx'

const OMIT = ['userIds'] as const

/** Accounts on or off; what happens to the open cases is decided here, not afterwards. */
export function StatusForm({ people, tree, onDone, onClose }: { people: readonly Person[]; tree: DataOf<typeof collectionTree> | undefined; onDone: () => void; onClose: () => void }): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const send = useSend(setPersonStatus, { quiet: true })
  const ids = new Set(people.map((person) => person.userId))
  const cases = people.reduce((sum, person) => sum + person.openCases, 0)
  const form = useSchemaForm<InputOf<typeof setPersonStatus>>({
    schema: setPersonStatus.input,
    omit: OMIT,
    values: { userIds: [...ids], status: people[0]?.status === 'normal' ? 'frozen' : 'normal', moveCasesTo: '' },
    async onSubmit(values) {
      const result = await send.mutateAsync(values)
      void showMessage({ intent: result.failed.length > 0 ? 'warning' : 'success', message: t('setup.doneOf', { ok: result.ok.length, failed: result.failed.length }), key: 'status' })
    },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  const colleagues = (tree?.collectors ?? []).filter((one) => one.enabled && !ids.has(one.userId))
  return (
    <FormDialog isOpen title={t('setup.status')} form={form} submitText={t('setup.save')} submitRefused={offline} intent="danger" onClose={onClose}>
      <p>{people.map((person) => person.name).slice(0, 8).join(', ')}</p>
      <SelectField name="status" label={t('setup.col.accountStatus')} options={PERSON_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))} />
      <SelectField name="moveCasesTo" label={t('setup.moveCasesTo')} placeholder={t('setup.backToPool')} options={colleagues.map(({ userId, userName, account, openCases }) => ({ value: userId, label: `${userName} (${account}) · ${openCases}` }))} />
      <p className="collection-hint is-warning">{t('setup.statusHint', { cases })}</p>
    </FormDialog>
  )
}
