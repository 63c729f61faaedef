/** The agency as a whole: its weight beside its share of the cases, its people and its money. */
import { type Text, useText } from '#client/base/use-text.ts'
import { type ReactNode, useMemo } from 'react'
import type { ListContext } from '#client/screen/list/list-types.ts'
import { agencyDetail } from '#shared/collection/figures-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { chosenRange, FIGURE_FILTERS } from './figure-filters.ts'
import { FigureSum, type SumPart } from './FigureSum.tsx'
import { useFigures } from './use-figures.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { percentText } from '#client/ui/value/value-text.ts'

interface AgencyCardProps {
  agencyId: string | undefined
  context: ListContext
}

export function AgencyCard({ agencyId, context }: AgencyCardProps): ReactNode {
  const t = useText('collection')
  const { dateFrom, dateTo } = chosenRange(context)
  const stageId = context.filters(FIGURE_FILTERS).stageId?.join(',')
  const { data } = useFigures(
    agencyDetail,
    useMemo(
      () =>
        agencyId === undefined
          ? null
          : { agencyId, dateFrom, dateTo, ...(stageId === undefined ? {} : { stageId }) },
      [agencyId, dateFrom, dateTo, stageId],
    ),
  )
  return (
    <FigureSum
      label={data?.agency.name ?? t('menu.agency_detail')}
      range={{ dateFrom, dateTo }}
      parts={data === undefined ? null : cardOf(data, t)}
    />
  )
}

function cardOf({ agency, actualShare }: DataOf<typeof agencyDetail>, t: Text): SumPart[] {
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
            {t('figures.actualShare', { share: percentText(actualShare) })}
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
    {
      label: t('figures.col.recoveredAmount'),
      text: (
        <span className="figure-share">
          <Money paise={agency.recovered} />
          <small title={t('figures.col.recoveryRate')}>
            <span className="visually-hidden">{t('figures.col.recoveryRate')}</span>{' '}
            {percentText(agency.recoveryRate)}
          </small>
        </span>
      ),
    },
    ...(agency.commission === 0
      ? []
      : [{ label: t('figures.col.commission'), paise: agency.commission }]),
  ]
}
