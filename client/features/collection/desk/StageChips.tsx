/** One-click filters of a work list: stages with their counts, and the preset views. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode, Ref } from 'react'
import { stageClass } from '#client/ui/value/StatusTag.tsx'
import { CASE_VIEWS } from '#shared/collection/cases-api.ts'
import type { CaseView } from './case-filters.ts'
import type { DeskFigures } from './case-types.ts'

interface StageChipsProps {
  stages: readonly { stageId: string; cases: number }[]
  chosen: readonly string[] | undefined
  onChoose: (stages: readonly string[] | undefined) => void
  ref?: Ref<HTMLDivElement>
}

export function StageChips({ stages, chosen = [], onChoose, ref }: StageChipsProps): ReactNode {
  const t = useText('collection')
  const toggle = (stageId: string) => {
    const next = chosen.includes(stageId)
      ? chosen.filter((one) => one !== stageId)
      : [...chosen, stageId]
    onChoose(next.length > 0 ? next : undefined)
  }
  return (
    <div ref={ref} className="stage-chips" role="group" aria-label={t('desk.col.stageId')}>
      {stages.map(({ stageId, cases }) => (
        <button
          key={stageId}
          type="button"
          className="stage-chip"
          aria-pressed={chosen.includes(stageId)}
          onClick={() => toggle(stageId)}
        >
          <span className={stageClass(stageId)}>{stageId}</span>{' '}
          <span className="tabular">{cases}</span>
        </button>
      ))}
    </div>
  )
}

/** The preset views, each with its count. */
export function WorkViews({
  view,
  onView,
  figures,
}: {
  view: string | undefined
  onView: (view: string | undefined) => void
  figures: DeskFigures | undefined
}): ReactNode {
  const t = useText('collection')
  const counts: Partial<Record<CaseView, number>> = figures
    ? {
        dueNow: figures.dueNow,
        promisesToday: figures.ptpToday,
        broken: figures.broken,
        newToday: figures.newToday,
        notContacted: figures.notContacted,
        paidPartly: figures.paidPartly,
      }
    : {}
  return (
    <span className="bp6-html-select field-select work-view">
      <select
        aria-label={t('desk.views')}
        value={view ?? ''}
        onChange={(event) => onView(event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">{t('desk.view.all')}</option>
        {CASE_VIEWS.map((one) => (
          <option key={one} value={one}>
            {counts[one] === undefined
              ? t(`desk.view.${one}`)
              : `${t(`desk.view.${one}`)} (${counts[one]})`}
          </option>
        ))}
      </select>
      <span className="field-caret" aria-hidden="true" />
    </span>
  )
}
