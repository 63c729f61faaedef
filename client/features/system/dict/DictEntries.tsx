/** The entries of a type, beside the list of types. */
import { type ReactNode, useMemo, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { usePageQuery } from '#client/screen/use-list-query.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import type { GridView } from '#client/ui/grid/grid-url.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { addDict, deleteDictDetail, listDictDetail, updateDict } from '#shared/system/dict-api.ts'
import { DICT_CHANGED } from '#shared/system/system-live.ts'
import { ENTRIES } from './dict-columns.ts'
import { dictName } from './dict-name.ts'
import type { Dict, Entry } from './dict-types.ts'
import { useRowActions } from './use-row-actions.ts'

// loads the form library, which the list itself does not need
const EntryForm = lazyPart(() => import('./DictForms.tsx').then((m) => ({ default: m.EntryForm })))

const EVENTS = [DICT_CHANGED.type]

/** Page and sort stay in state, because the address belongs to the list of types. */
const FIRST: GridView = { page: 1, pageSize: 100, sort: [] }

export function DictEntries({ dict }: { dict: Dict }): ReactNode {
  const t = useText('system')
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(addDict.access)
  const mayEdit = usePermission(updateDict.access)
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
  const rowActions = useRowActions<Entry>({ onEdit: setForm, onDelete: setDeleting })
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
        {...(rowActions && { rowActions })}
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
      {form !== null && (
        <EntryForm
          key={form === 'new' ? 'new' : form.detailId}
          dict={dict}
          entry={form === 'new' ? null : form}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
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
