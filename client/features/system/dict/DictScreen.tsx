/** Dictionaries: types on the left, entries of the selected type on the right. */
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import '../system.css'
import { type ReactNode, useMemo, useState } from 'react'
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
import { filterInput } from '#client/ui/grid/grid-url.ts'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDict, deleteDict, generateDict, listDict } from '#shared/system/dict-api.ts'
import { DICT_CHANGED } from '#shared/system/system-live.ts'
import { TYPES } from './dict-columns.ts'
import { DictEntries } from './DictEntries.tsx'
import { dictName } from './dict-name.ts'
import type { Dict } from './dict-types.ts'
import { useRowActions } from './use-row-actions.ts'

// load the form library, which the list itself does not need
const forms = () => import('./DictForms.tsx')
const TypeForm = lazyPart(() => forms().then((m) => ({ default: m.TypeForm })))
const GenerateForm = lazyPart(() => forms().then((m) => ({ default: m.GenerateForm })))

const FILTERS = { typeName: 'text', code: 'text' } as const
const EVENTS = [DICT_CHANGED.type]

export function Screen(): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const [query, setQuery] = useSearchParams()
  const mayAdd = usePermission(addDict.access)
  const mayGenerate = usePermission(generateDict.access)
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

  const rowActions = useRowActions<Dict>({ onEdit: setForm, onDelete: setDeleting })
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
            {...(rowActions && { rowActions })}
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
            <DictEntries key={chosen.dictId} dict={chosen} />
          )}
        </section>
      </div>
      {form !== null && (
        <TypeForm
          key={form === 'new' ? 'new' : form.dictId}
          dict={form === 'new' ? null : form}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
      {generating && <GenerateForm onDone={list.refetch} onClose={() => setGenerating(false)} />}
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
