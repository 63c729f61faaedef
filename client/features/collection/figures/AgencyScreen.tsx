/** One agency against its weight, and its people, groups, departments and stages (screens.md 5.8). */
import '../collection.css'
import './figures.css'
import { type ReactNode, useMemo } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'
import { useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { DataGrid } from '#client/ui/DataGrid.tsx'
import { Empty } from '#client/ui/Empty.tsx'
import { FilterBar } from '#client/ui/FilterBar.tsx'
import type { RowAction } from '#client/ui/GridMenu.tsx'
import { Segmented } from '#client/ui/Segmented.tsx'
import { useGridUrlState } from '#client/ui/useGridUrlState.ts'
import { AGENCY_LEVELS, agencyDetail, listAgencyLines } from '#shared/collection/figures-api.ts'
import { useSay } from '../use-say.ts'
import { AGENCY_COLUMNS, type AgencyLine } from './figure-columns.ts'
import { dayRange, rangeFields } from './figure-filters.ts'
import { FigureSum, rateText, type SumPart } from './FigureSum.tsx'
import { useFigures, useUnits } from './use-figures.ts'

const FILTERS = { agencyId: 'one', date: 'day', stageId: 'many' } as const
type Level = (typeof AGENCY_LEVELS)[number]
/** Filter of the other lists that stands for a line. */
const PART: Record<Level, 'collectorId' | 'groupId' | 'departmentId' | 'stageId'> = {
  people: 'collectorId',
  groups: 'groupId',
  departments: 'departmentId',
  stages: 'stageId',
}

export function Screen(): ReactNode {
  const t = useSay()
  const [, navigate] = useLocation()
  const [, setQuery] = useSearchParams()
  const { tree } = useUnits()
  const maySeeCases = usePermission(['pedding_list:view'])
  const maySeeBills = usePermission(['recycle_bill:view'])
  const asked = new URLSearchParams(useSearch()).get('level')
  const level = AGENCY_LEVELS.find((one) => one === asked) ?? 'people'
  const url = useGridUrlState(FILTERS)
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
  const billsOf = (row: AgencyLine) =>
    `/loaned_management/recycle_bill?${new URLSearchParams({ agencyId: agencyId ?? '', [PART[level]]: row.id, dateFrom: range.dateFrom, dateTo: range.dateTo })}`
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
            onClick: () =>
              navigate(
                `/loaned_management/pedding_list?${new URLSearchParams({ agencyId: agencyId ?? '', [PART[level]]: row.id })}`,
              ),
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
          ...rangeFields(t),
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
  t: ReturnType<typeof useSay>,
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
