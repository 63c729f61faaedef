/** Columns of the services of apps, and of the configurations behind them. */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  percentColumn,
  statusColumn,
  tagsColumn,
  textColumn,
  timeColumn,
  wordColumn,
} from '#client/ui/grid/grid-columns.ts'
import type { Tone } from '#client/ui/value/StatusTag.tsx'
import type { VendorKind } from '#shared/vendors/vendor-kinds.ts'
import type { Configuration, Service } from './vendor-types.ts'

type Healthy = Pick<
  Service,
  | 'kind'
  | 'breaker'
  | 'attempts'
  | 'successRate'
  | 'p95'
  | 'lastError'
  | 'lastErrorTime'
  | 'retryTime'
>

const title = (name: string) => `vendors:col.${name}`
const TONES: Readonly<Record<string, Tone>> = { closed: 'good', open: 'bad', trying: 'warn' }
/** Below this share of taken attempts the figure is marked, in basis points. */
const POOR = 9_500

function kindColumn<Row extends { kind: VendorKind }>(): GridColumn<Row> {
  return wordColumn<Row>({
    id: 'kind',
    title: title('kind'),
    width: 184,
    sort: 'kind',
    word: (kind, { t }) => t(`vendors:kind.${kind}`),
  })
}

function healthColumns<Row extends Healthy>(): GridColumn<Row>[] {
  return [
    statusColumn<Row>({
      id: 'breaker',
      title: title('breaker'),
      width: 124,
      word: (state, { t }) => t(`vendors:breaker.${state}`),
      tone: (state) => TONES[state] ?? 'neutral',
    }),
    integerColumn<Row>({ id: 'attempts', title: title('attempts'), width: 136 }),
    percentColumn<Row>({
      id: 'successRate',
      title: title('successRate'),
      width: 148,
      className: ({ successRate }) =>
        successRate !== null && successRate < POOR ? 'cell-warn' : '',
    }),
    integerColumn<Row>({ id: 'p95', title: title('p95'), width: 112, upIsWorse: true }),
    textColumn<Row>({
      id: 'lastError',
      title: title('lastError'),
      width: 190,
      text: ({ lastError }, { t }) => errorText(lastError, t),
      tip: ({ lastError }, { t }) => errorText(lastError, t),
    }),
    timeColumn<Row>({ id: 'lastErrorTime', title: title('lastErrorTime'), width: 148 }),
    timeColumn<Row>({ id: 'retryTime', title: title('retryTime'), width: 148 }),
  ]
}

const statusOf = <Row>(): GridColumn<Row> =>
  statusColumn<Row>({
    id: 'status',
    title: title('status'),
    width: 96,
    word: (status, { t }) => t(`vendors:status.${status}`),
    tone: (status) => (status === 'enabled' ? 'good' : 'neutral'),
  })

export const SERVICE_COLUMNS: readonly GridColumn<Service>[] = [
  idColumn<Service>({ id: 'id', title: title('id'), width: 84, pin: 'left' }),
  textColumn<Service>({
    id: 'appName',
    title: title('appName'),
    width: 140,
    sort: 'appName',
    pin: 'left',
  }),
  kindColumn<Service>(),
  integerColumn<Service>({
    id: 'priority',
    title: title('priority'),
    width: 96,
    sort: 'priority',
  }),
  integerColumn<Service>({
    id: 'share',
    title: title('share'),
    width: 84,
    text: ({ share }) => (share === 0 ? '—' : `${share} %`),
  }),
  textColumn<Service>({
    id: 'thirdPartyName',
    title: title('thirdPartyName'),
    width: 150,
    sort: 'thirdPartyName',
  }),
  textColumn<Service>({ id: 'cfgName', title: title('cfgName'), width: 130 }),
  { ...statusOf<Service>(), sort: 'status' },
  ...healthColumns<Service>(),
  textColumn<Service>({ id: 'remark', title: title('remark'), width: 160 }),
  timeColumn<Service>({
    id: 'updateTime',
    title: title('updateTime'),
    width: 148,
    sort: 'updateTime',
  }),
]

export const CONFIGURATION_COLUMNS: readonly GridColumn<Configuration>[] = [
  idColumn<Configuration>({ id: 'cfgId', title: title('id'), width: 84, pin: 'left' }),
  textColumn<Configuration>({
    id: 'thirdPartyName',
    title: title('thirdPartyName'),
    width: 160,
    sort: 'thirdPartyName',
    pin: 'left',
  }),
  textColumn<Configuration>({
    id: 'name',
    title: title('cfgName'),
    width: 130,
    sort: 'name',
    pin: 'left',
  }),
  kindColumn<Configuration>(),
  statusOf<Configuration>(),
  ...healthColumns<Configuration>(),
  tagsColumn<Configuration>({ id: 'apps', title: title('apps'), width: 220 }),
  textColumn<Configuration>({
    id: 'thirdPartyCode',
    title: title('thirdPartyCode'),
    width: 120,
  }),
  textColumn<Configuration>({
    id: 'baseUrl',
    title: title('baseUrl'),
    width: 220,
    text: ({ sandbox, baseUrl }, { t }) => (sandbox ? t('vendors:sandbox') : baseUrl),
  }),
  textColumn<Configuration>({
    id: 'keys',
    title: title('keys'),
    width: 220,
    value: ({ keys, unset }) => [...keys, ...unset].join('\n'),
    text: (row, { t }) => keysText(row, t),
    className: ({ unset }) => (unset.length > 0 ? 'cell-warn' : ''),
  }),
  integerColumn<Configuration>({ id: 'timeoutMs', title: title('timeoutMs'), width: 118 }),
  timeColumn<Configuration>({
    id: 'createTime',
    title: title('createTime'),
    width: 148,
    sort: 'createTime',
  }),
]

function errorText(error: string | null, t: (key: string) => string): string {
  if (error === null) return ''
  const status = /^http(\d+)$/.exec(error)?.[1]
  return status === undefined ? t(`vendors:error.${error}`) : `HTTP ${status}`
}

/** Which keys are set: no value leaves the server. */
function keysText(
  { keys, unset }: Configuration,
  t: (key: string, params?: Record<string, unknown>) => string,
): string {
  return [
    ...keys.map((key) => t('vendors:key.set', { key })),
    ...unset.map((key) => t('vendors:key.unset', { key })),
  ].join(', ')
}
