/** Announcements to staff: written, published, taken back (screens.md 7.18). */
import './notices.css'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { LinkedText } from '#client/ui/LinkedText.tsx'
import { SideDrawer } from '#client/ui/SideDrawer.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { listRoles } from '#shared/access/roles-api.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { deleteNotice, listNotices, setNoticeStatus } from '#shared/notices/announcements-api.ts'
import { linkParts } from '#shared/notices/notice-links.ts'
import { noticeLifecycle } from '#shared/notices/notice-lifecycle.ts'
import { NOTICE_STATES } from '#shared/notices/notice-sets.ts'
import { ROLES } from '#shared/session/roles.ts'
import { useSay } from './use-say.ts'

export type Notice = DataOf<typeof setNoticeStatus>

// Brings the form library, which the list itself does not need.
const NoticeForm = lazy(() => import('./NoticeForm.tsx').then((m) => ({ default: m.NoticeForm })))

const title = (name: string) => `notices:col.${name}`
const COLUMNS: readonly GridColumn<Notice>[] = [
  idColumn<Notice>({ id: 'noticeId', title: title('noticeId'), width: 110, pin: 'left' }),
  textColumn<Notice>({ id: 'title', title: title('title'), width: 260, sort: 'title' }),
  statusColumn<Notice>({
    id: 'status',
    title: title('status'),
    width: 118,
    sort: 'status',
    word: (state, { t }) => t(`notices:state.${state}`),
    tone: (state) => (state === 'published' ? 'good' : state === 'draft' ? 'info' : 'neutral'),
  }),
  wordColumn<Notice>({
    id: 'popCondition',
    title: title('popCondition'),
    width: 150,
    word: (one, { t }) => t(`notices:pop.${one}`),
  }),
  textColumn<Notice>({
    id: 'roles',
    title: title('roles'),
    width: 230,
    value: (row) => row.roles.join(' '),
    text: (row, { t }) => readersOf(row, t),
  }),
  integerColumn<Notice>({
    id: 'exposureCount',
    title: title('exposureCount'),
    width: 110,
    sort: 'exposureCount',
  }),
  timeColumn<Notice>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 156,
    sort: 'updateTime',
  }),
  textColumn<Notice>({ id: 'updateBy', title: title('updateBy'), width: 150 }),
  textColumn<Notice>({ id: 'content', title: title('content'), width: 420 }),
]
const FILTERS = { title: 'text', status: 'one', time: 'day' } as const
const EVENTS = ['notice.published', 'notice.withdrawn']

type Step = { notice: Notice; to: 'published' | 'withdrawn' | 'deleted' }

export function Screen(): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['notice_list:add'])
  const mayEdit = usePermission(['notice_list:edit'])
  const mayPublish = usePermission(['notice_list:publish'])
  const mayDelete = usePermission(['notice_list:delete'])
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'updateTime', dir: 'desc' }] })
  const input = useMemo<InputOf<typeof listNotices>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listNotices, Notice>(listNotices, input, EVENTS)
  const roles = useQuery({
    ...queryOf(listRoles, { pageSize: 200, sort: 'name:asc' }, { quiet: true }),
    staleTime: 60_000,
  })
  const change = useSend(setNoticeStatus)
  const remove = useSend(deleteNotice)
  const [form, setForm] = useState<Notice | 'new' | null>(null)
  const [looking, setLooking] = useState<Notice | null>(null)
  const [step, setStep] = useState<Step | null>(null)
  useWatch('menu', 'notice_list')

  const rowActions = (row: Notice): RowAction[] => [
    { id: 'preview', text: t('preview'), icon: 'eye-open', onClick: () => setLooking(row) },
    ...(mayEdit
      ? [
          {
            id: 'edit',
            text: t('edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => setForm(row),
          } as const,
        ]
      : []),
    ...(mayPublish && noticeLifecycle.can(row.status, { type: 'PUBLISH' })
      ? [
          {
            id: 'publish',
            text: t('publish'),
            icon: 'send-to',
            intent: 'primary',
            disabledReason: offline,
            onClick: () => setStep({ notice: row, to: 'published' }),
          } as const,
        ]
      : []),
    ...(mayPublish && noticeLifecycle.can(row.status, { type: 'WITHDRAW' })
      ? [
          {
            id: 'withdraw',
            text: t('withdraw'),
            icon: 'undo',
            intent: 'warning',
            disabledReason: offline,
            onClick: () => setStep({ notice: row, to: 'withdrawn' }),
          } as const,
        ]
      : []),
    ...(mayDelete
      ? [
          {
            id: 'delete',
            text: t('delete'),
            icon: 'delete',
            intent: 'danger',
            separated: true,
            disabledReason: offline,
            onClick: () => setStep({ notice: row, to: 'deleted' }),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="notices-list">
      <h1 className="visually-hidden">{t('menu.notice_list')}</h1>
      <FilterBar
        fields={[
          { name: 'title', kind: 'text', label: t('col.title'), place: 'quick' },
          {
            name: 'status',
            kind: 'one',
            label: t('col.status'),
            place: 'bar',
            options: NOTICE_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          },
          { name: 'time', kind: 'day', label: t('col.updateTime') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('add')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Notice>
        id="notice_list"
        label={t('menu.notice_list')}
        columns={COLUMNS}
        query={list.query}
        getRowId={(row) => row.noticeId}
        view={url.view}
        onView={url.setView}
        onOpen={setLooking}
        rowActions={rowActions}
        filters={url}
        emptyReason={{ text: t('none') }}
      />
      <Suspense fallback={null}>
        {form !== null && (
          <NoticeForm
            key={form === 'new' ? 'new' : form.noticeId}
            notice={form === 'new' ? null : form}
            roles={roles.data?.rows ?? []}
            onDone={list.refetch}
            onClose={() => setForm(null)}
          />
        )}
      </Suspense>
      {looking !== null && (
        <SideDrawer isOpen title={looking.title} width={560} onClose={() => setLooking(null)}>
          <div className="notices-preview">
            <dl>
              <dt>{t('col.status')}</dt>
              <dd>{t(`state.${looking.status}`)}</dd>
              <dt>{t('col.popCondition')}</dt>
              <dd>{t(`pop.${looking.popCondition}`)}</dd>
              <dt>{t('col.roles')}</dt>
              <dd>{readersOf(looking, t)}</dd>
              <dt>{t('col.exposureCount')}</dt>
              <dd className="tabular">{looking.exposureCount}</dd>
            </dl>
            <LinkedText parts={linkParts(looking.content)} />
          </div>
        </SideDrawer>
      )}
      <ConfirmAction
        isOpen={step !== null}
        intent={
          step?.to === 'published' ? 'primary' : step?.to === 'withdrawn' ? 'warning' : 'danger'
        }
        title={t(`ask.${step?.to ?? 'published'}`, { title: step?.notice.title ?? '' })}
        confirmText={t(
          step?.to === 'published' ? 'publish' : step?.to === 'withdrawn' ? 'withdraw' : 'delete',
        )}
        irreversible={step?.to === 'deleted' ? [t('deleteMeans')] : []}
        onConfirm={async () => {
          if (step === null) return
          const { noticeId, version } = step.notice
          await (
            step.to === 'deleted'
              ? remove.mutateAsync({ noticeId, version })
              : change.mutateAsync({ noticeId, version, status: step.to })
          ).finally(list.refetch)
          void showMessage({ intent: 'success', message: t(`done.${step.to}`), key: 'notice' })
        }}
        onClose={() => setStep(null)}
      >
        {step !== null && (
          <p>
            {step.to === 'published'
              ? t('publishMeans', {
                  readers: readersOf(step.notice, t),
                  pop: t(`pop.${step.notice.popCondition}`),
                })
              : t(step.to === 'withdrawn' ? 'withdrawMeans' : 'deleteWhat', {
                  n: step.notice.exposureCount,
                })}
          </p>
        )}
      </ConfirmAction>
    </div>
  )
}

/** Built-in roles in the words of the language, a role of the company's own by its mark. */
function readersOf({ roles }: Notice, t: (key: string) => string): string {
  return roles.length === 0
    ? t('notices:everybody')
    : roles
        .map((mark) => (ROLES.some((role) => role.mark === mark) ? t(`access:mark.${mark}`) : mark))
        .join(', ')
}
