/** One agency against its weight, and its people, groups, departments and stages. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './figures.css'
import { type ReactNode, useMemo } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { filtersOf } from '#client/screen/list/list-filters.ts'
import { useListContext } from '#client/screen/list/use-list-context.ts'
import { DataGrid } from '#client/ui/grid/DataGrid.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { FilterBar } from '#client/ui/filter/FilterBar.tsx'
import type { RowAction } from '#client/ui/grid/GridMenu.tsx'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { useGridUrlState } from '#client/ui/grid/use-grid-url-state.ts'
import {
  AGENCY_LEVELS,
  agencyDetail,
  listAgencyLines,
  listBills,
} from '#shared/collection/figures-api.ts'
import { AGENCY_COLUMNS, type AgencyLine } from './figure-columns.ts'
import { dayRange, RANGE_FIELDS } from './figure-filters.ts'
import { FigureSum, rateText, type SumPart } from './FigureSum.tsx'
import { useFigures, useUnits } from './use-figures.ts'

const FILTERS = { agencyId: 'one', date: 'day', stageId: 'many' } as const
const RANGE = filtersOf(RANGE_FIELDS)
const TEXTS = ['collection']
type Level = (typeof AGENCY_LEVELS)[number]
/** The filter of the other lists that corresponds to a line. */
const PART: Record<Level, 'collectorId' | 'groupId' | 'departmentId' | 'stageId'> = {
  people: 'collectorId',
  groups: 'groupId',
  departments: 'departmentId',
  stages: 'stageId',
}

export function Screen(): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const { tree } = useUnits()
  // the call of the work list is also open to holders of the processed list
  const maySeeCases = usePermission(['pedding_list:view'])
  const maySeeBills = usePermission(listBills.access)
  const requested = new URLSearchParams(useSearch()).get('level')
  const level = AGENCY_LEVELS.find((one) => one === requested) ?? 'people'
  const url = useGridUrlState(FILTERS)
  const context = useListContext(TEXTS, url.filters)
  const range = dayRange(url.input)
  const agencies = tree?.agencies ?? []
  const agencyId = url.filters.agencyId ?? agencies[0]?.id
  const stageId = url.filters.stageId?.join(',')
  const input = useMemo(
    () =>
      agencyId === undefined
        ? null
        : {
            agencyId,
            dateFrom: range.dateFrom,
            dateTo: range.dateTo,
            ...(stageId === undefined ? {} : { stageId }),
          },
    [agencyId, range.dateFrom, range.dateTo, stageId],
  )
  const figures = useFigures(agencyDetail, input)
  const { data } = figures
  const lines = data?.[level]
  const query = useMemo(
    () => ({
      ...figures.gridOf<AgencyLine>(lines),
      ...(input === null
        ? {}
        : { source: { endpoint: listAgencyLines, input: { ...input, level } } }),
    }),
    [figures, lines, input, level],
  )
  useWatch('menu', 'agency_detail')
  const choose = (next: Level) =>
    setQuery((now) => {
      const params = new URLSearchParams(now)
      params.set('level', next)
      return params
    })
  const linkTo = (page: string, row: AgencyLine, more: Record<string, string> = {}) => {
    const params = { agencyId: agencyId ?? '', [PART[level]]: row.id, ...more }
    return `/loaned_management/${page}?${new URLSearchParams(params)}`
  }
  const billsOf = (row: AgencyLine) =>
    linkTo('recycle_bill', row, { dateFrom: range.dateFrom, dateTo: range.dateTo })
  const rowActions = (row: AgencyLine): RowAction[] => [
    ...(maySeeBills
      ? [
          {
            id: 'bills',
            text: t('figures.seeBills'),
            icon: 'list',
            onClick: () => navigate(billsOf(row)),
          } as const,
        ]
      : []),
    ...(maySeeCases
      ? [
          {
            id: 'cases',
            text: t('figures.seeCases'),
            icon: 'th-list',
            onClick: () => navigate(linkTo('pedding_list', row)),
          } as const,
        ]
      : []),
  ]
  return (
    <div className="collection-list">
      <h1 className="visually-hidden">{t('menu.agency_detail')}</h1>
      <FilterBar
        fields={[
          ...(agencies.length > 1
            ? [
                {
                  name: 'agencyId',
                  kind: 'one',
                  label: t('desk.col.agencyName'),
                  place: 'bar',
                  options: agencies.map(({ id, name }) => ({ value: id, label: name })),
                } as const,
              ]
            : []),
          ...RANGE.fields(context),
        ]}
        filters={agencyId === undefined ? url.filters : { ...url.filters, agencyId }}
        onChange={url.setFilters}
        onReset={url.resetFilters}
      />
      {tree !== undefined && agencyId === undefined ? (
        <Empty reason={t('figures.noAgency')} />
      ) : (
        <>
          <FigureSum
            label={data?.agency.name ?? t('menu.agency_detail')}
            range={range}
            parts={data === undefined ? null : cardOf(data, t)}
          />
          <DataGrid<AgencyLine>
            id={`agency_detail:${level}`}
            label={t(`figures.level.${level}`)}
            columns={AGENCY_COLUMNS[level]}
            query={query}
            getRowId={(row) => row.id}
            getVersion={() => 1}
            view={url.view}
            onView={url.setView}
            {...(maySeeBills || maySeeCases ? { rowActions } : {})}
            {...(maySeeBills ? { onOpen: (row: AgencyLine) => navigate(billsOf(row)) } : {})}
            emptyReason={{ text: t('figures.none') }}
            toolbar={
              <Segmented
                label={t('figures.parts')}
                value={level}
                segments={AGENCY_LEVELS.map((value) => ({
                  value,
                  label: t(`figures.level.${value}`),
                }))}
                onChange={choose}
              />
            }
          />
        </>
      )}
    </div>
  )
}

function cardOf(
  { agency, actualShare }: NonNullable<ReturnType<typeof useFigures<typeof agencyDetail>>['data']>,
  t: ReturnType<typeof useText>,
): SumPart[] {
  const weight = agency.weight * 100
  const side =
    actualShare === null || agency.status !== 'enabled'
      ? ''
      : actualShare < weight
        ? 'is-below'
        : actualShare > weight
          ? 'is-above'
          : ''
  return [
    ...(agency.status === 'enabled'
      ? []
      : [{ label: agency.name, text: t(`status.${agency.status}`) }]),
    {
      label: t('figures.weight'),
      text: (
        <span className="figure-share">
          {agency.weight} %
          <small className={side}>
            {t('figures.actualShare', { share: rateText(actualShare) })}
          </small>
        </span>
      ),
    },
    {
      label: t('figures.peopleNow'),
      text: t('figures.peopleOf', { online: agency.online, onDuty: agency.onDuty }),
    },
    { label: t('figures.col.openCases'), count: agency.openCases },
    { label: t('desk.col.outstanding'), paise: agency.outstanding },
    { label: t('figures.col.recoveredAmount'), paise: agency.recovered },
    { label: t('figures.col.recoveryRate'), rate: agency.recoveryRate },
    ...(agency.commission === 0
      ? []
      : [{ label: t('figures.col.commission'), paise: agency.commission }]),
  ]
}
