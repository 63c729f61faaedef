/**
 * Saved views of a list: filters, sort and columns under a name, private or shared with the role.
 * One can be the default.
 */
import './views.css'
import { Button, Icon, PopoverNext } from '@blueprintjs/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSearchParams } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { call } from '#client/session/call.ts'
import { messageOf } from '#client/session/call-error.ts'
import { showMessage } from '#client/session/messages.ts'
import { queryKeyOf, queryOf, useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { focusOpened } from '#client/ui/frame/focus-opened.ts'
import {
  type ColumnState,
  DEFAULT_COLUMNS,
  parseColumns,
  readColumns,
  subscribeColumns,
  writeColumns,
} from '#client/ui/grid/column-store.ts'
import { serverFaults } from '#client/ui/form/form.ts'
import type { ViewsSlot } from '#client/ui/grid/grid-slots.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { mayShareViews } from '#shared/views/view-sharing.ts'
import { deleteView, listViews, saveView } from '#shared/views/views-api.ts'
import { isShown, lookedOf, queryOfView } from './view-state.ts'

type View = DataOf<typeof listViews>['rows'][number]

export function ViewsMenu({ list }: ViewsSlot): ReactNode {
  const t = useText('views')
  const client = useQueryClient()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const [query, setQuery] = useSearchParams()
  const columns = useSyncExternalStore(subscribeColumns, () => readColumns(list))
  const { data } = useQuery({
    ...queryOf(listViews, { menu: list }, { quiet: true }),
    staleTime: 60_000,
  })
  const save = useSend(saveView, { quiet: true })
  const remove = useSend(deleteView)
  const [open, setOpen] = useState(false)
  /** The selected view, also after the filters were changed. */
  const [chosen, setChosen] = useState<string | null>(null)
  const arrived = useRef(false)
  const again = () => client.invalidateQueries({ queryKey: queryKeyOf(listViews) })
  const views = data?.rows ?? []
  const shows = (view: View) =>
    isShown(query, view) &&
    (view.columns === null || sameColumns(parseColumns(view.columns), columns))
  const present = views.find((view) => view.viewId === chosen) ?? views.find(shows) ?? null
  const isChanged = present !== null && !shows(present)

  function show(view: View, replace = false): void {
    setChosen(view.viewId)
    if (view.columns !== null) writeColumns(list, parseColumns(view.columns))
    setQuery(() => queryOfView(view), { replace })
    setOpen(false)
  }
  const showDefault = useEffectEvent(() => {
    const first = views.find((view) => view.isDefault)
    // an address with filters is opened as it is, without the default view
    if (first && query.size === 0) show(first, true)
  })
  useEffect(() => {
    if (arrived.current || data === undefined) return
    arrived.current = true
    showDefault()
  }, [data])

  async function write(view: {
    viewId?: string
    name: string
    shared: boolean
    isDefault: boolean
  }): Promise<void> {
    const { viewId } = await save.mutateAsync({
      menu: list,
      ...view,
      ...lookedOf(query),
      columns:
        columns === DEFAULT_COLUMNS
          ? null
          : { ...columns, order: [...columns.order], hidden: [...columns.hidden] },
    })
    setChosen(viewId)
    await again()
    void showMessage({ intent: 'success', message: t('saved', { name: view.name }), key: 'view' })
  }
  async function drop({
    viewId,
    name,
    filters,
    columns: shownColumns,
    sort,
    shared,
    isDefault,
  }: View): Promise<void> {
    // `call` shows the error
    if (
      !(await remove.mutateAsync({ viewId }).then(
        () => true,
        () => false,
      ))
    )
      return
    await again()
    const undo = () =>
      call(saveView, {
        menu: list,
        name,
        filters,
        columns: shownColumns,
        sort,
        shared,
        isDefault,
      }).then(again, () => undefined)
    void showMessage({
      intent: 'success',
      message: t('deleted', { name }),
      key: `view:${viewId}`,
      undo,
    })
  }
  const content = (
    <div className="views-menu" ref={focusOpened}>
      {views.length === 0 ? <p className="views-none">{t('none')}</p> : null}
      <ul>
        {views.map((view) => (
          <li key={view.viewId}>
            <button
              type="button"
              className="views-pick"
              aria-pressed={present?.viewId === view.viewId && !isChanged}
              onClick={() => show(view)}
            >
              {view.name}{' '}
              {view.isDefault ? <Icon icon="star" size={12} title={t('default')} /> : null}
              {view.isOwn ? (
                view.shared ? (
                  <small>{t('sharedByMe')}</small>
                ) : null
              ) : (
                <small>{t('sharedBy', { name: view.ownerName })}</small>
              )}
            </button>
            {view.isOwn && present?.viewId === view.viewId && isChanged ? (
              <Button
                size="small"
                variant="minimal"
                icon="saved"
                aria-label={t('update', { name: view.name })}
                title={t('update', { name: view.name })}
                disabled={offline !== null}
                onClick={() => void write(view).catch(showError)}
              />
            ) : null}
            {view.isOwn ? (
              <Button
                size="small"
                variant="minimal"
                icon="delete"
                aria-label={t('delete', { name: view.name })}
                title={t('delete', { name: view.name })}
                disabled={offline !== null}
                onClick={() => void drop(view)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      <SaveAs
        mayShare={mayShareViews(user.scope.kind)}
        offline={offline}
        onSave={(view) => write(view).then(() => setOpen(false))}
      />
    </div>
  )
  return (
    <PopoverNext isOpen={open} onInteraction={setOpen} placement="bottom-end" content={content}>
      <Button
        variant="minimal"
        icon="bookmark"
        aria-label={
          present === null
            ? t('title')
            : t(isChanged ? 'nowChanged' : 'now', { name: present.name })
        }
        title={t('title')}
        aria-haspopup="dialog"
      >
        {present === null ? null : (
          <span className="views-name">
            {present.name}
            {isChanged ? <span className="views-dot" title={t('changed')} /> : null}
          </span>
        )}
      </Button>
    </PopoverNext>
  )
}

/** Form for the name of the current view. */
function SaveAs({
  mayShare,
  offline,
  onSave,
}: {
  mayShare: boolean
  offline: string | null
  onSave: (view: { name: string; shared: boolean; isDefault: boolean }) => Promise<void>
}): ReactNode {
  const t = useText('views')
  const id = useId()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const [isDefault, setDefault] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    if (busy) return
    if (name.trim() === '') return setFault(t('ui:fault.required'))
    setBusy(true)
    setFault(null)
    try {
      await onSave({ name: name.trim(), shared, isDefault })
      setName('')
    } catch (error) {
      setFault(serverFaults(error).name ? t('taken') : messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="views-save" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{t('saveAs')}</label>
      <input
        id={id}
        className="bp6-input"
        value={name}
        maxLength={40}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-help`}
        onChange={(event) => setName(event.target.value)}
      />
      {fault === null ? null : (
        <small className="views-fault" role="alert">
          {fault}
        </small>
      )}
      <div className="views-row">
        <label className="check">
          <input
            type="checkbox"
            checked={isDefault}
            onChange={(event) => setDefault(event.target.checked)}
          />
          {t('asDefault')}
        </label>
        {mayShare ? (
          <label className="check">
            <input
              type="checkbox"
              checked={shared}
              onChange={(event) => setShared(event.target.checked)}
            />
            {t('share')}
          </label>
        ) : null}
      </div>
      <small id={`${id}-help`}>{t('hint')}</small>
      <div>
        <ActionButton
          type="submit"
          intent="primary"
          size="small"
          busy={busy}
          disabledReason={offline}
          text={t('save')}
        />
      </div>
    </form>
  )
}

function showError(error: unknown): void {
  void showMessage({ intent: 'warning', message: messageOf(error), key: 'view' })
}

function sameColumns(a: ColumnState, b: ColumnState): boolean {
  const plain = ({ order, hidden, pinned, widths }: ColumnState) =>
    JSON.stringify([
      order,
      [...hidden].toSorted(),
      Object.entries(pinned).toSorted(),
      Object.entries(widths).toSorted(),
    ])
  return plain(a) === plain(b)
}
