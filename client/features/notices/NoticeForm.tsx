import type { ReactNode } from 'react'
import { roleWord } from '#client/features/access/public.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { useSend } from '#client/session/query.ts'
import { ConflictPane } from '#client/ui/ConflictPane.tsx'
import { AreaField, ManyField, SelectField, TextField } from '#client/ui/fields.tsx'
import { FormDrawer } from '#client/ui/FormDrawer.tsx'
import { useSchemaForm } from '#client/ui/useSchemaForm.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { listRoles } from '#shared/access/roles-api.ts'
import { addNotice, editNotice } from '#shared/notices/announcements-api.ts'
import { hasForbiddenLink } from '#shared/notices/notice-links.ts'
import { NOTICE_STATES, POP_CONDITIONS } from '#shared/notices/notice-sets.ts'
import type { Notice } from './NoticesScreen.tsx'
import { useSay } from './use-say.ts'

type Role = DataOf<typeof listRoles>['rows'][number]
type Values = InputOf<typeof editNotice>
const OMIT = ['noticeId', 'version'] as const

export function NoticeForm({
  notice,
  roles,
  onDone,
  onClose,
}: {
  notice: Notice | null
  roles: readonly Role[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const add = useSend(addNotice, { quiet: true })
  const edit = useSend(editNotice, { quiet: true })
  const form = useSchemaForm<Values>({
    schema: notice === null ? addNotice.input : editNotice.input,
    omit: OMIT,
    values: {
      noticeId: notice?.noticeId ?? '',
      version: notice?.version ?? 1,
      title: notice?.title ?? '',
      content: notice?.content ?? '',
      status: notice?.status ?? 'draft',
      popCondition: notice?.popCondition ?? 'none',
      roles: notice?.roles ?? [],
    },
    check: (values) => {
      const wrong = (['title', 'content'] as const).filter((name) => hasForbiddenLink(values[name]))
      return wrong.length === 0
        ? null
        : Object.fromEntries(wrong.map((name) => [name, { key: 'notices:fault.link', params: {} }]))
    },
    onSubmit: (values) => (notice === null ? add.mutateAsync(values) : edit.mutateAsync(values)),
    onDone: () => {
      void showMessage({ intent: 'success', message: t('saved'), key: 'notice' })
      onDone()
      onClose()
    },
  })
  const marks = (value: unknown) =>
    Array.isArray(value) && value.length > 0
      ? value.map((mark) => roleOf(roles, String(mark), t)).join(', ')
      : t('everybody')
  // a draft is not made again of what was shown, and what was never shown is not taken back
  const states = NOTICE_STATES.filter(
    (state) =>
      state === (notice?.status ?? 'draft') ||
      state === 'published' ||
      (state === 'withdrawn' && notice?.status === 'published'),
  )
  return (
    <FormDrawer
      isOpen
      width={620}
      title={notice === null ? t('add') : t('editTitle', { title: notice.title })}
      form={form}
      submitText={t('save')}
      submitRefused={offline}
      onClose={onClose}
    >
      <ConflictPane
        form={form}
        fields={[
          { name: 'title', label: t('col.title') },
          { name: 'content', label: t('col.content') },
          { name: 'status', label: t('col.status'), text: (state) => t(`state.${String(state)}`) },
          {
            name: 'popCondition',
            label: t('col.popCondition'),
            text: (one) => t(`pop.${String(one)}`),
          },
          { name: 'roles', label: t('col.roles'), text: marks },
        ]}
      />
      <TextField name="title" label={t('col.title')} maxLength={100} />
      <AreaField
        name="content"
        label={t('col.content')}
        rows={10}
        maxLength={5000}
        help={t('contentHelp')}
      />
      <SelectField
        name="popCondition"
        label={t('col.popCondition')}
        options={POP_CONDITIONS.map((value) => ({ value, label: t(`pop.${value}`) }))}
        help={t('popHelp')}
      />
      <SelectField
        name="status"
        label={t('col.status')}
        options={states.map((value) => ({ value, label: t(`state.${value}`) }))}
      />
      <ManyField
        name="roles"
        label={t('col.roles')}
        help={t('rolesHelp')}
        options={roles.map((role) => ({
          value: role.uniqueMark,
          label: roleWord(t, role.uniqueMark, role.name),
        }))}
      />
    </FormDrawer>
  )
}

export function roleOf(
  roles: readonly Role[],
  mark: string,
  t: (key: string, params?: Record<string, unknown>) => string,
): string {
  return roleWord(t, mark, roles.find((role) => role.uniqueMark === mark)?.name ?? mark)
}
