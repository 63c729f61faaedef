/** Dictionaries: types on the left, entries of the selected type on the right. */
import { useText } from '#client/base/use-text.ts'
import '../system.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { currentLanguage } from '#client/base/i18n.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  statusColumn,
  textColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { filterInput, type GridView } from '#client/ui/grid/grid-url.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import {
  deleteDict,
  deleteDictDetail,
  listDict,
  listDictDetail,
  type updateDict,
  type updateDictDetail,
} from '#shared/system/dict-api.ts'
import { DICT_CHANGED } from '#shared/system/system-live.ts'
import { dictName } from './dict-name.ts'

export type Dict = DataOf<typeof updateDict>
export type Entry = DataOf<typeof updateDictDetail>

// load the form library, which the lists themselves do not need
const forms = () => import('./DictForms.tsx')
const TypeForm = lazy(() => forms().then((m) => ({ default: m.TypeForm })))
const EntryForm = lazy(() => forms().then((m) => ({ default: m.EntryForm })))
const GenerateForm = lazy(() => forms().then((m) => ({ default: m.GenerateForm })))

const title = (name: string) => `system:dict.col.${name}`
const TYPES: readonly GridColumn<Dict>[] = [
  idColumn<Dict>({
    id: 'typeName',
    title: title('typeName'),
    width: 166,
    sort: 'typeName',
    pin: 'left',
    text: (row, { t }) => dictName(t, row),
    tip: (row, { t }) => dictName(t, row),
  }),
  textColumn<Dict>({ id: 'code', title: title('code'), width: 132, sort: 'code' }),
  integerColumn<Dict>({ id: 'detailCount', title: title('detailCount'), width: 96 }),
  integerColumn<Dict>({ id: 'sort', title: title('sort'), width: 72, sort: 'sort' }),
  yesNoColumn<Dict>({ id: 'builtIn', title: title('builtIn'), width: 92 }),
]
const ENTRIES: readonly GridColumn<Entry>[] = [
  idColumn<Entry>({ id: 'code', title: title('code'), width: 150, sort: 'code', pin: 'left' }),
  ...LANGUAGES.map((language) => ({
    ...textColumn<Entry>({
      id: `label.${language}`,
      title: LANGUAGE_NAMES[language],
      width: 170,
      value: (row) => row.labels[language] ?? '',
    }),
  })),
  integerColumn<Entry>({ id: 'sort', title: title('sort'), width: 72, sort: 'sort' }),
  statusColumn<Entry>({
    id: 'state',
    title: title('state'),
    width: 104,
    sort: 'state',
    word: (state, { t }) => t(`system:state.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
  yesNoColumn<Entry>({ id: 'builtIn', title: title('builtIn'), width: 92 }),
  textColumn<Entry>({ id: 'parentId', title: title('parentId'), width: 110, hidden: true }),
]
const FILTERS = { typeName: 'text', code: 'text' } as const
const EVENTS = [DICT_CHANGED.type]

export function Screen(): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const [query, setQuery] = useSearchParams()
  const mayAdd = usePermission(['dict:add'])
  const mayEdit = usePermission(['dict:edit'])
  const mayDelete = usePermission(['dict:delete'])
  const mayGenerate = usePermission(['dict:generate'])
  // code tables are searched and sorted in the language shown
  const language = currentLanguage()
  const url = useGridUrlState(FILTERS)
  const input = useMemo<InputOf<typeof listDict>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters), language }),
    [url.input, url.filters, language],
  )
  const list = usePageQuery<typeof listDict, Dict>(listDict, input, EVENTS)
  const removeType = useSend(deleteDict)
  const [form, setForm] = useState<Dict | 'new' | null>(null)
  const [generating, setGenerating] = useState(false)
  const [deleting, setDeleting] = useState<Dict | null>(null)
  const rows = list.query.rows ?? []
  const chosen = rows.find((row) => row.dictId === query.get('type')) ?? rows[0] ?? null
  const choose = (dict: Dict) =>
    setQuery((now) => {
      const next = new URLSearchParams(now)
      next.set('type', dict.dictId)
      return next
    })

  const rowActions = (row: Dict): RowAction[] => [
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
    ...(mayDelete
      ? [
          {
            id: 'delete',
            text: t('delete'),
            icon: 'delete',
            intent: 'danger',
            separated: true,
            disabledReason: row.builtIn ? t('fault.builtIn') : offline,
            onClick: () => setDeleting(row),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="system-list">
      <h1 className="visually-hidden">{t('menu.dict')}</h1>
      <FilterBar
        fields={[
          { name: 'typeName', kind: 'text', label: t('dict.col.typeName'), place: 'quick' },
          {
            name: 'code',
            kind: 'text',
            label: t('dict.col.code'),
            place: 'bar',
            placeholder: t('dict.col.code'),
          },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayGenerate && (
          <ActionButton
            icon="duplicate"
            text={t('dict.generate')}
            disabledReason={offline}
            onClick={() => setGenerating(true)}
          />
        )}
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('dict.addType')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <div className="system-split">
        <section aria-label={t('dict.types')}>
          <DataGrid<Dict>
            id="dict"
            label={t('dict.types')}
            columns={TYPES}
            query={list.query}
            getRowId={(row) => row.dictId}
            view={url.view}
            onView={url.setView}
            openId={chosen?.dictId ?? null}
            onOpen={choose}
            {...(mayEdit || mayDelete ? { rowActions } : {})}
            filters={url}
            emptyReason={{
              text: t('dict.none'),
              ...(mayGenerate ? { hint: t('dict.noneHint') } : {}),
            }}
          />
        </section>
        <section aria-label={t('dict.entries')}>
          {chosen === null ? (
            <Empty reason={t('dict.chooseType')} />
          ) : (
            <Entries key={chosen.dictId} dict={chosen} />
          )}
        </section>
      </div>
      <Suspense fallback={null}>
        {form !== null && (
          <TypeForm
            key={form === 'new' ? 'new' : form.dictId}
            dict={form === 'new' ? null : form}
            onDone={list.refetch}
            onClose={() => setForm(null)}
          />
        )}
        {generating && <GenerateForm onDone={list.refetch} onClose={() => setGenerating(false)} />}
      </Suspense>
      <ConfirmAction
        isOpen={deleting !== null}
        title={t('dict.askType', { name: deleting === null ? '' : dictName(t, deleting) })}
        confirmText={t('delete')}
        irreversible={[t('dict.goesToo', { n: deleting?.detailCount ?? 0 })]}
        onConfirm={async () => {
          if (deleting === null) return
          await removeType.mutateAsync({ dictId: deleting.dictId }).finally(list.refetch)
          void showMessage({ intent: 'success', message: t('deleted'), key: 'system' })
        }}
        onClose={() => setDeleting(null)}
      />
    </div>
  )
}

/**
 * The right side keeps its page and sort in state, because the address belongs to the left side.
 */
const FIRST: GridView = { page: 1, pageSize: 100, sort: [] }

function Entries({ dict }: { dict: Dict }): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['dict:add'])
  const mayEdit = usePermission(['dict:edit'])
  const mayDelete = usePermission(['dict:delete'])
  const [view, setView] = useState(FIRST)
  const [form, setForm] = useState<Entry | 'new' | null>(null)
  const [deleting, setDeleting] = useState<Entry | null>(null)
  const remove = useSend(deleteDictDetail)
  const sort = view.sort.map(({ field, dir }) => `${field}:${dir}`).join(',')
  const input = useMemo<InputOf<typeof listDictDetail>>(
    () => ({
      parentId: dict.dictId,
      pageNum: view.page,
      pageSize: view.pageSize,
      ...(sort === '' ? {} : { sort }),
    }),
    [dict.dictId, view, sort],
  )
  const list = usePageQuery<typeof listDictDetail, Entry>(listDictDetail, input, EVENTS)
  const rowActions = (row: Entry): RowAction[] => [
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
    ...(mayDelete
      ? [
          {
            id: 'delete',
            text: t('delete'),
            icon: 'delete',
            intent: 'danger',
            separated: true,
            disabledReason: row.builtIn ? t('fault.builtIn') : offline,
            onClick: () => setDeleting(row),
          } as const,
        ]
      : []),
  ]
  return (
    <>
      <DataGrid<Entry>
        id="dict:entries"
        label={t('dict.entriesOf', { name: dictName(t, dict) })}
        columns={ENTRIES}
        query={list.query}
        getRowId={(row) => row.detailId}
        view={view}
        onView={(change) =>
          setView((now) => ({
            ...now,
            ...(change.page === undefined ? { page: 1 } : {}),
            ...change,
          }))
        }
        {...(mayEdit ? { onOpen: (row: Entry) => setForm(row) } : {})}
        {...(mayEdit || mayDelete ? { rowActions } : {})}
        emptyReason={{ text: t('dict.noEntries') }}
        toolbar={
          <>
            <strong>{dictName(t, dict)}</strong>
            {mayAdd && (
              <ActionButton
                icon="plus"
                size="small"
                text={t('dict.addEntry')}
                disabledReason={offline}
                onClick={() => setForm('new')}
              />
            )}
          </>
        }
      />
      <Suspense fallback={null}>
        {form !== null && (
          <EntryForm
            key={form === 'new' ? 'new' : form.detailId}
            dict={dict}
            entry={form === 'new' ? null : form}
            onDone={list.refetch}
            onClose={() => setForm(null)}
          />
        )}
      </Suspense>
      <ConfirmAction
        isOpen={deleting !== null}
        title={t('dict.askEntry', { code: deleting?.code ?? '' })}
        confirmText={t('delete')}
        onConfirm={async () => {
          if (deleting === null) return
          await remove.mutateAsync({ detailId: deleting.detailId }).finally(list.refetch)
          void showMessage({ intent: 'success', message: t('deleted'), key: 'system' })
        }}
        onClose={() => setDeleting(null)}
      />
    </>
  )
}
