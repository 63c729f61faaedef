import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { roleWord } from '#client/features/access/public.ts'
import { useSaveForm } from '#client/screen/use-save-form.ts'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction, type ConfirmActionProps } from '#client/ui/feedback/ConfirmAction.tsx'
import { ConflictPane } from '#client/ui/form/ConflictPane.tsx'
import { AreaField, ManyField, SelectField, TextField } from '#client/ui/form/fields.tsx'
import { FormDrawer } from '#client/ui/form/FormDrawer.tsx'
import { useSubmitQuestion } from '#client/ui/form/use-submit-question.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { listRoles } from '#shared/access/roles-api.ts'
import { addAnnouncement, editAnnouncement } from '#shared/announcements/announcements-api.ts'
import { hasForbiddenLink } from '#shared/announcements/announcement-links.ts'
import { ANNOUNCEMENT_STATES, POP_CONDITIONS } from '#shared/announcements/announcement-sets.ts'
import type { Announcement } from './announcement-types.ts'
import { readersOf } from './readers.ts'

type Role = Pick<DataOf<typeof listRoles>['rows'][number], 'uniqueMark' | 'name'>
/** What a new one begins with. */
export type Draft = Pick<Announcement, 'title' | 'content' | 'roles'>
type Values = InputOf<typeof editAnnouncement>
const OMIT = ['noticeId', 'version'] as const

export function AnnouncementForm({
  announcement,
  draft,
  roles,
  onDone,
  onClose,
}: {
  announcement: Announcement | null
  draft?: Draft
  roles: readonly Role[]
  onDone: () => void
  onClose: () => void
}): ReactNode {
  const t = useText('announcements', 'access')
  const add = useSend(addAnnouncement, { quiet: true })
  const edit = useSend(editAnnouncement, { quiet: true })
  const { form, frame } = useSaveForm<Values>({
    schema: announcement === null ? addAnnouncement.input : editAnnouncement.input,
    omit: OMIT,
    values: {
      noticeId: announcement?.noticeId ?? '',
      version: announcement?.version ?? 1,
      title: announcement?.title ?? draft?.title ?? '',
      content: announcement?.content ?? draft?.content ?? '',
      status: announcement?.status ?? 'draft',
      popCondition: announcement?.popCondition ?? 'none',
      roles: announcement?.roles ?? draft?.roles ?? [],
    },
    check: (values) => {
      const wrong = (['title', 'content'] as const).filter((name) => hasForbiddenLink(values[name]))
      return wrong.length === 0
        ? null
        : Object.fromEntries(
            wrong.map((name) => [name, { key: 'announcements:fault.link', params: {} }]),
          )
    },
    onSubmit: (values) =>
      announcement === null ? add.mutateAsync(values) : edit.mutateAsync(values),
    saved: t('saved'),
    onDone,
    onClose,
  })
  const { getValues } = form.form
  // the same questions as of the actions of the list
  const [shown, confirming] = useSubmitQuestion(
    form,
    () => getValues('status') !== (announcement?.status ?? 'draft'),
  )
  const marks = (value: unknown) =>
    Array.isArray(value) && value.length > 0
      ? value.map((mark) => roleOf(roles, String(mark), t)).join(', ')
      : t('everybody')
  // a published announcement never becomes a draft again, and a draft cannot be withdrawn
  const states = ANNOUNCEMENT_STATES.filter(
    (state) =>
      state === (announcement?.status ?? 'draft') ||
      state === 'published' ||
      (state === 'withdrawn' && announcement?.status === 'published'),
  )
  return (
    <FormDrawer
      {...frame}
      form={shown}
      width={620}
      title={announcement === null ? t('add') : t('editTitle', { title: announcement.title })}
      submitText={t('save')}
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
      <ChangeQuestion
        values={getValues()}
        exposed={announcement?.exposureCount ?? 0}
        {...confirming}
      />
    </FormDrawer>
  )
}

function ChangeQuestion({
  values: { status, title, roles = [], popCondition },
  exposed,
  ...confirming
}: {
  values: Values
  /** Accounts that were shown it. */
  exposed: number
} & Pick<ConfirmActionProps, 'isOpen' | 'onConfirm' | 'onClose'>): ReactNode {
  const t = useText('announcements', 'access')
  const isWithdrawn = status === 'withdrawn'
  return (
    <ConfirmAction
      {...confirming}
      intent={isWithdrawn ? 'warning' : 'primary'}
      title={t(`ask.${isWithdrawn ? 'withdrawn' : 'published'}`, { title })}
      confirmText={t(isWithdrawn ? 'withdraw' : 'publish')}
    >
      <p>
        {isWithdrawn
          ? t('withdrawMeans', { n: exposed })
          : t('publishMeans', { readers: readersOf({ roles }, t), pop: t(`pop.${popCondition}`) })}
      </p>
    </ConfirmAction>
  )
}

export function roleOf(
  roles: readonly Role[],
  mark: string,
  t: (key: string, params?: Record<string, unknown>) => string,
): string {
  return roleWord(t, mark, roles.find((role) => role.uniqueMark === mark)?.name ?? mark)
}
