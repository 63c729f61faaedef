/** Parameters: figures of the product and of the company that an owner may change (screens.md 7.4). */
import '../system.css'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { currentLanguage } from '#client/app/i18n.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { readMatching } from '#client/session/read-matching.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { type ChosenRows, useGridSelection } from '#client/ui/useGridSelection.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import {
  CONFIG_STATES,
  listConfig,
  MOST_PARAMETERS,
  refreshConfig,
  setConfigState,
  type updateConfig,
} from '#shared/system/config-api.ts'
import { useParameterSay } from '../use-say.ts'
import { parameterName } from './parameter-name.ts'

export type Parameter = DataOf<typeof updateConfig>

// Both bring the form library, which the list itself does not need.
const ParameterForm = lazy(() =>
  import('./ParameterForm.tsx').then((m) => ({ default: m.ParameterForm })),
)
const BatchDrawer = lazy(() =>
  import('./BatchDrawer.tsx').then((m) => ({ default: m.BatchDrawer })),
)

const title = (name: string) => `system:conf.col.${name}`
const COLUMNS: readonly GridColumn<Parameter>[] = [
  idColumn<Parameter>({ id: 'code', title: title('code'), width: 236, sort: 'code', pin: 'left' }),
  textColumn<Parameter>({
    id: 'name',
    title: title('name'),
    width: 420,
    sort: 'name',
    text: (row, { t }) => parameterName(t, row),
    tip: (row, { t }) => parameterName(t, row),
  }),
  textColumn<Parameter>({ id: 'value', title: title('value'), width: 190 }),
  wordColumn<Parameter>({
    id: 'valueType',
    title: title('valueType'),
    width: 120,
    sort: 'valueType',
    word: (type, { t }) => t(`system:conf.type.${type}`),
  }),
  statusColumn<Parameter>({
    id: 'state',
    title: title('state'),
    width: 104,
    sort: 'state',
    word: (state, { t }) => t(`system:state.${state}`),
    tone: (state) => (state === 'enabled' ? 'good' : 'neutral'),
  }),
  yesNoColumn<Parameter>({ id: 'builtIn', title: title('builtIn'), width: 100 }),
  textColumn<Parameter>({ id: 'number', title: title('number'), width: 100, sort: 'number' }),
  textColumn<Parameter>({ id: 'remark', title: title('remark'), width: 200 }),
  textColumn<Parameter>({ id: 'updateBy', title: title('updateBy'), width: 140 }),
  timeColumn<Parameter>({ id: 'updateTime', title: title('updateTime'), sort: 'updateTime' }),
]
const FILTERS = { code: 'text', name: 'text', number: 'text', state: 'one' } as const

const getRowId = (row: Parameter) => row.configId

export function Screen(): ReactNode {
  const t = useParameterSay()
  const { reason: offline } = useConnection()
  const mayAdd = usePermission(['conf:add'])
  const mayEdit = usePermission(['conf:edit'])
  const maySwitch = usePermission(['conf:status'])
  const mayRefresh = usePermission(['conf:refresh'])
  // names are found and sorted as they are read here
  const language = currentLanguage()
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'code', dir: 'asc' }] })
  const input = useMemo<InputOf<typeof listConfig>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters), language }),
    [url.input, url.filters, language],
  )
  const list = usePageQuery<typeof listConfig, Parameter>(listConfig, input, [
    CONFIG_REFRESHED.type,
  ])
  const selection = useGridSelection<Parameter>(
    JSON.stringify(url.filters),
    () => readMatching(list.query, getRowId),
    MOST_PARAMETERS,
  )
  const change = useSend(setConfigState)
  const refresh = useSend(refreshConfig)
  const [form, setForm] = useState<Parameter | 'new' | null>(null)
  const [batch, setBatch] = useState<readonly Parameter[] | null>(null)
  useWatch('menu', 'conf')

  const say = (message: string) => void showMessage({ intent: 'success', message, key: 'system' })
  const rowActions = (row: Parameter): RowAction[] => [
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
    ...(maySwitch
      ? [
          {
            id: 'status',
            text: t(row.state === 'enabled' ? 'disable' : 'enable'),
            icon: row.state === 'enabled' ? 'disable' : 'play',
            separated: true,
            disabledReason: row.builtIn ? t('fault.builtIn') : offline,
            onClick: () =>
              void change
                .mutateAsync({
                  configId: row.configId,
                  version: row.version,
                  state: row.state === 'enabled' ? 'disabled' : 'enabled',
                })
                .then(
                  () => say(t('saved')),
                  () => undefined,
                )
                .finally(list.refetch),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="system-list">
      <h1 className="visually-hidden">{t('menu.conf')}</h1>
      <FilterBar
        fields={[
          { name: 'code', kind: 'text', label: t('conf.col.code'), place: 'quick' },
          {
            name: 'name',
            kind: 'text',
            label: t('conf.col.name'),
            place: 'bar',
            placeholder: t('conf.col.name'),
          },
          {
            name: 'state',
            kind: 'one',
            label: t('conf.col.state'),
            place: 'bar',
            options: CONFIG_STATES.map((value) => ({ value, label: t(`state.${value}`) })),
          },
          { name: 'number', kind: 'text', label: t('conf.col.number') },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayRefresh && (
          <ActionButton
            icon="refresh"
            text={t('conf.refresh')}
            disabledReason={offline}
            onClick={() =>
              void refresh.mutateAsync({}).then(
                ({ count }) => say(t('conf.refreshed', { n: count })),
                () => undefined,
              )
            }
          />
        )}
        {mayAdd && (
          <ActionButton
            icon="import"
            text={t('conf.batch')}
            disabledReason={offline}
            onClick={() => setBatch([])}
          />
        )}
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('conf.add')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Parameter>
        id="conf"
        label={t('menu.conf')}
        columns={COLUMNS}
        query={list.query}
        getRowId={getRowId}
        view={url.view}
        onView={url.setView}
        {...(mayEdit
          ? {
              selection,
              bulkBar: (chosen: ChosenRows<Parameter>) => (
                <ActionButton
                  icon="edit"
                  text={t('conf.batchOfChosen')}
                  disabledReason={
                    offline ??
                    (chosen.rows.length > MOST_PARAMETERS
                      ? t('conf.atMost', { n: MOST_PARAMETERS })
                      : null)
                  }
                  onClick={() => chosen.take(setBatch)}
                />
              ),
              onOpen: (row: Parameter) => setForm(row),
            }
          : {})}
        {...(mayEdit || maySwitch ? { rowActions } : {})}
        filters={url}
        emptyReason={{ text: t('conf.none') }}
      />
      <Suspense fallback={null}>
        {form !== null && (
          <ParameterForm
            key={form === 'new' ? 'new' : form.configId}
            parameter={form === 'new' ? null : form}
            onDone={list.refetch}
            onClose={() => setForm(null)}
          />
        )}
        {batch !== null && (
          <BatchDrawer
            parameters={batch}
            onDone={() => {
              selection.clear()
              list.refetch()
            }}
            onClose={() => setBatch(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
