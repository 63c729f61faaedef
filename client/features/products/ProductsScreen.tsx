/** Loan products: what is offered, to whom, at which terms (screens.md 7.9). Orders keep the terms they were made with. */
import './products.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { currentLanguage } from '#client/app/i18n.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { type CallError, messageOf } from '#client/session/call-error.ts'
import { downloadFile } from '#client/session/file.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { usePageQuery } from '#client/shell/use-list-query.ts'
import { useMedia } from '#client/shell/use-media.ts'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/ConfirmAction.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import {
  type GridColumn,
  idColumn,
  integerColumn,
  moneyColumn,
  percentColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '#client/ui/grid-columns.ts'
import { filterInput } from '#client/ui/grid-url.ts'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import {
  type editProduct,
  listMerchants,
  listProducts,
  PRODUCT_STATUSES,
  productOptions,
  productTemplate,
  refreshProducts,
  setProductStatus,
} from '#shared/products/products-api.ts'
import { ExtensionForm } from './ExtensionForm.tsx'
import { LinkForm } from './LinkForm.tsx'
import { LogoCell } from './logo-cell.ts'
import { PenaltyForm } from './PenaltyForm.tsx'
import { ProductForm } from './ProductForm.tsx'
import { QuotaForm } from './QuotaForm.tsx'
import { useSay } from './use-say.ts'

export type Product = DataOf<typeof editProduct>

const title = (name: string) => `products:col.${name}`
const COLUMNS: readonly GridColumn<Product>[] = [
  idColumn<Product>({ id: 'productId', title: title('productId'), width: 104, pin: 'left' }),
  // the logo is compared with the name: a cell whose name stays the same would keep the old one
  {
    ...textColumn<Product>({
      id: 'name',
      title: title('name'),
      width: 190,
      sort: 'name',
      pin: 'left',
      text: (row) => row.name,
      tip: (row) => row.name,
      value: (row) => [row.name, row.logoFileId ?? ''].join('\n'),
    }),
    renderer: LogoCell,
  },
  statusColumn<Product>({
    id: 'status',
    title: title('status'),
    width: 108,
    sort: 'status',
    word: (status, { t }) => t(`products:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  }),
  textColumn<Product>({ id: 'appName', title: title('appName'), width: 130, sort: 'appName' }),
  textColumn<Product>({
    id: 'merchantName',
    title: title('merchantName'),
    width: 140,
    sort: 'merchantName',
  }),
  moneyColumn<Product>({
    id: 'minAmount',
    title: title('minAmount'),
    width: 128,
    sort: 'minAmount',
  }),
  moneyColumn<Product>({
    id: 'maxAmount',
    title: title('maxAmount'),
    width: 138,
    sort: 'maxAmount',
  }),
  integerColumn<Product>({
    id: 'tenureDays',
    title: title('tenureDays'),
    width: 118,
    sort: 'tenureDays',
  }),
  integerColumn<Product>({ id: 'periods', title: title('periods'), width: 116 }),
  integerColumn<Product>({ id: 'daysPerPeriod', title: title('daysPerPeriod'), width: 148 }),
  percentColumn<Product>({
    id: 'serviceRate',
    title: title('serviceRate'),
    width: 122,
    sort: 'serviceRate',
  }),
  percentColumn<Product>({
    id: 'dailyRate',
    title: title('dailyRate'),
    width: 136,
    sort: 'dailyRate',
  }),
  integerColumn<Product>({ id: 'openOrders', title: title('openOrders'), width: 148 }),
  integerColumn<Product>({ id: 'sort', title: title('sort'), width: 90, sort: 'sort' }),
  timeColumn<Product>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 152,
    sort: 'updateTime',
  }),
]
const NARROW = COLUMNS.map((column) =>
  ['periods', 'daysPerPeriod', 'sort'].includes(column.id) ? { ...column, hidden: true } : column,
)
const FILTERS = { name: 'text', appId: 'one', merchantId: 'one', status: 'one' } as const

type TermsForm = 'quota' | 'penalty' | 'extend'
const TERMS_FORMS = {
  quota: QuotaForm,
  penalty: PenaltyForm,
  extend: ExtensionForm,
} satisfies Record<TermsForm, unknown>

export function Screen(): ReactNode {
  const t = useSay()
  const { reason: offline } = useConnection()
  const wide = useMedia('(min-width: 1600px)')
  const mayAdd = usePermission(['product_config:add'])
  const mayEdit = usePermission(['product_config:edit'])
  const maySwitch = usePermission(['product_config:status'])
  const mayLink = usePermission(['product_config:merchant'])
  const mayTemplate = usePermission(['product_config:template'])
  const mayRefresh = usePermission(['product_config:refresh'])
  const mayTerms = {
    quota: usePermission(['product_config:quota']),
    penalty: usePermission(['product_config:penalty']),
    extend: usePermission(['product_config:extend']),
  }
  const url = useGridUrlState(FILTERS, { sort: [{ field: 'sort', dir: 'asc' }] })
  const input = useMemo<InputOf<typeof listProducts>>(
    () => ({ ...url.input, ...filterInput(FILTERS, url.filters) }),
    [url.input, url.filters],
  )
  const list = usePageQuery<typeof listProducts, Product>(listProducts, input, [
    CONFIG_REFRESHED.type,
  ])
  const options = useQuery({ ...queryOf(productOptions, {}, { quiet: true }), staleTime: 60_000 })
  const merchants = useQuery({ ...queryOf(listMerchants, {}, { quiet: true }), staleTime: 60_000 })
  const change = useSend(setProductStatus)
  const refresh = useSend(refreshProducts)
  const [form, setForm] = useState<Product | 'new' | null>(null)
  const [terms, setTerms] = useState<{ kind: TermsForm; product: Product } | null>(null)
  const [switching, setSwitching] = useState<Product | null>(null)
  const [isLinking, setLinking] = useState(false)

  const say = (key: string, params: Record<string, unknown> = {}) => {
    void showMessage({ intent: 'success', message: t(key, params), key: 'product' })
    list.refetch()
  }
  const template = () =>
    void downloadFile(productTemplate, { language: currentLanguage() }).catch((error: unknown) =>
      showMessage({ intent: 'warning', message: messageOf(error as CallError), key: 'download' }),
    )
  const rowActions = (row: Product): RowAction[] => [
    ...(mayEdit
      ? [
          {
            id: 'edit',
            text: t('action.edit'),
            icon: 'edit',
            disabledReason: offline,
            onClick: () => setForm(row),
          } as const,
        ]
      : []),
    ...(['quota', 'penalty', 'extend'] as const)
      .filter((kind) => mayTerms[kind])
      .map((kind) => ({
        id: kind,
        text: t(`action.${kind}`),
        icon: TERMS_ICONS[kind],
        disabledReason: offline,
        onClick: () => setTerms({ kind, product: row }),
      })),
    ...(maySwitch
      ? [
          row.status === 'enabled'
            ? ({
                id: 'off',
                text: t('action.off'),
                icon: 'disable',
                intent: 'danger',
                separated: true,
                disabledReason: offline,
                onClick: () => setSwitching(row),
              } as const)
            : ({
                id: 'on',
                text: t('action.on'),
                icon: 'play',
                separated: true,
                disabledReason: offline,
                onClick: () => setSwitching(row),
              } as const),
        ]
      : []),
  ]
  const Terms = terms === null ? null : TERMS_FORMS[terms.kind]
  const turnsOff = switching?.status === 'enabled'
  const apps = options.data?.apps ?? []
  const lenders = merchants.data ?? []
  return (
    <div className="products-list">
      <h1 className="visually-hidden">{t('menu.product_config')}</h1>
      <FilterBar
        fields={[
          { name: 'name', kind: 'text', label: t('col.name'), place: 'quick' },
          {
            name: 'appId',
            kind: 'one',
            label: t('col.appName'),
            place: 'bar',
            options: apps.map(({ id, name }) => ({ value: id, label: name })),
          },
          {
            name: 'status',
            kind: 'one',
            label: t('col.status'),
            place: 'bar',
            options: PRODUCT_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
          },
          {
            name: 'merchantId',
            kind: 'one',
            label: t('col.merchantName'),
            options: lenders.map(({ merchantId, name }) => ({ value: merchantId, label: name })),
          },
        ]}
        filters={url.filters}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      >
        {mayRefresh && (
          <ActionButton
            icon="refresh"
            variant="outlined"
            text={t('action.refresh')}
            disabledReason={offline}
            onClick={() =>
              void refresh.mutateAsync({}).then(
                ({ count }) => say('refreshed', { count }),
                () => undefined,
              )
            }
          />
        )}
        {mayTemplate && (
          <ActionButton
            icon="download"
            variant="outlined"
            text={t('action.template')}
            disabledReason={offline}
            onClick={template}
          />
        )}
        {mayLink && (
          <ActionButton
            icon="link"
            variant="outlined"
            text={t('action.link')}
            disabledReason={offline}
            onClick={() => setLinking(true)}
          />
        )}
        {mayAdd && (
          <ActionButton
            icon="plus"
            intent="primary"
            text={t('action.add')}
            disabledReason={offline}
            onClick={() => setForm('new')}
          />
        )}
      </FilterBar>
      <DataGrid<Product>
        id="product_config"
        label={t('menu.product_config')}
        columns={wide ? COLUMNS : NARROW}
        query={list.query}
        getRowId={(row) => row.productId}
        getVersion={(row) => row.version}
        view={url.view}
        onView={url.setView}
        {...(mayEdit ? { onOpen: (row: Product) => setForm(row) } : {})}
        rowActions={rowActions}
        filters={url}
        emptyReason={{ text: t('none') }}
      />
      {form !== null && (
        <ProductForm
          key={form === 'new' ? 'new' : form.productId}
          product={form === 'new' ? null : form}
          apps={apps}
          merchants={lenders}
          onTemplate={mayTemplate ? template : null}
          onDone={list.refetch}
          onClose={() => setForm(null)}
        />
      )}
      {Terms !== null && terms !== null && (
        <Terms
          key={terms.product.productId}
          product={terms.product}
          onDone={list.refetch}
          onClose={() => setTerms(null)}
        />
      )}
      {isLinking && (
        <LinkForm
          merchants={lenders}
          onDone={() => void merchants.refetch()}
          onClose={() => setLinking(false)}
        />
      )}
      <ConfirmAction
        isOpen={switching !== null}
        intent={turnsOff ? 'danger' : 'primary'}
        title={t(turnsOff ? 'ask.off' : 'ask.on', { name: switching?.name ?? '' })}
        confirmText={t(turnsOff ? 'action.off' : 'action.on')}
        onConfirm={async () => {
          if (switching === null) return
          // the question may stand while the list is read again
          const { productId, version } =
            list.query.rows?.find((row) => row.productId === switching.productId) ?? switching
          await change
            .mutateAsync({ productId, version, status: turnsOff ? 'disabled' : 'enabled' })
            .finally(list.refetch)
          say('saved')
        }}
        onClose={() => setSwitching(null)}
      >
        <p>{t(turnsOff ? 'ask.offMeans' : 'ask.onMeans')}</p>
        {turnsOff && switching !== null && switching.openOrders > 0 && (
          <p className="products-warning">{t('ask.openOrders', { count: switching.openOrders })}</p>
        )}
      </ConfirmAction>
    </div>
  )
}

const TERMS_ICONS = { quota: 'people', penalty: 'stopwatch', extend: 'calendar' } as const
