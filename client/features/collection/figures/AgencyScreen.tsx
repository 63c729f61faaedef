/** One agency against its weight, and its people, groups, departments and stages. */
import '../collection.css'
import './figures.css'
import { linkAction } from '#client/screen/list/list-actions.ts'
import { filtersOf, named } from '#client/screen/list/list-filters.ts'
import { listInput } from '#client/screen/list/list-input.ts'
import { tabbedScreen } from '#client/screen/list/list-screen.tsx'
import { listBody } from '#client/screen/list/ListBody.tsx'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { AGENCY_LEVELS, listAgencyLines, listBills } from '#shared/collection/figures-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { AgencyCard } from './AgencyCard.tsx'
import { AGENCY_COLUMNS, type AgencyLine } from './figure-columns.ts'
import { chosenRange, dayRange, KEPT_FIELDS, RANGE_FIELDS, UNITS } from './figure-filters.ts'
import { FIGURES_MS } from './use-figures.ts'

type Level = (typeof AGENCY_LEVELS)[number]
/** The filter of the other lists that corresponds to a line. */
const PART: Record<Level, 'collectorId' | 'groupId' | 'departmentId' | 'stageId'> = {
  people: 'collectorId',
  groups: 'groupId',
  departments: 'departmentId',
  stages: 'stageId',
}
const FILTERS = filtersOf({
  agencyId: {
    kind: 'one',
    label: 'desk.col.agencyName',
    place: 'bar',
    options: (context) => named(agenciesOf(context)),
    when: (context) => agenciesOf(context).length > 1,
    preset: agencyOf,
  },
  ...RANGE_FIELDS,
})

export const Screen = tabbedScreen<Level>({
  texts: ['collection'],
  menu: 'agency_detail',
  title: 'figures.level',
  // each level of the contract is one list
  tabs: Object.fromEntries(AGENCY_LEVELS.map((level) => [level, linesOf(level)])) as Record<
    Level,
    ReturnType<typeof linesOf>
  >,
  keeps: KEPT_FIELDS,
})

function linesOf(level: Level) {
  const addressOf = (page: string, row: AgencyLine, context: ListContext, more = {}) =>
    `/loaned_management/${page}?${new URLSearchParams({
      agencyId: agencyOf(context) ?? '',
      [PART[level]]: row.id,
      ...more,
    })}`
  return listBody({
    endpoint: listAgencyLines,
    rowId: 'id',
    texts: ['collection'],
    id: `agency_detail:${level}`,
    label: `figures.level.${level}`,
    columns: AGENCY_COLUMNS[level],
    filters: FILTERS,
    input(query, context) {
      const agencyId = agencyOf(context)
      if (agencyId === undefined) return context.t('figures.noAgency')
      return { ...listInput(listAgencyLines, query), ...dayRange(query), agencyId, level }
    },
    reads: [UNITS],
    everyMs: FIGURES_MS,
    actions: [
      linkAction<AgencyLine>({
        id: 'bills',
        text: 'figures.seeBills',
        icon: 'list',
        menu: 'recycle_bill',
        when: (_, { may }) => may(listBills),
        path: (row, context) =>
          addressOf('recycle_bill', row, context, { ...chosenRange(context) }),
      }),
      linkAction<AgencyLine>({
        id: 'cases',
        text: 'figures.seeCases',
        icon: 'th-list',
        menu: 'pedding_list',
        path: (row, context) => addressOf('pedding_list', row, context),
      }),
    ],
    open: 'bills',
    empty: 'figures.none',
    emptyHint: (context) =>
      agencyOf(context) === undefined ? context.t('figures.noAgency') : null,
    around: (rows, context) => (
      <>
        <AgencyCard agencyId={agencyOf(context)} context={context} />
        {rows}
      </>
    ),
  })
}

function agenciesOf({ read }: ListContext): readonly { id: string; name: string }[] {
  return read(collectionTree)?.agencies ?? []
}

/** The chosen agency, else the first one the viewer sees. */
function agencyOf(context: ListContext): string | undefined {
  return context.filters({ agencyId: 'one' }).agencyId ?? agenciesOf(context)[0]?.id
}
