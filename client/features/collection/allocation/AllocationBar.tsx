/** Terms of the next run, and the two actions of the desk: preview, then run. */
import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { Presence } from '#client/ui/value/Presence.tsx'
import { ALLOCATION_MODES } from '#shared/collection/collection-sets.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import type { AllocationPlan, PlanMode, Terms } from './use-allocation-plan.ts'

const MODES: readonly PlanMode[] = [...ALLOCATION_MODES, 'manual']

interface AllocationBarProps {
  planning: AllocationPlan
  /** Of the enabled agencies; null when the caller does not split cases between agencies. */
  weights: number | null
  /** Who else has the desk open, and who is editing which plan. */
  others: readonly PresenceMember[]
  otherPlan: { createdByName: string; version: number } | null
  mayRun: boolean
  /** Why a plan cannot be made now. */
  refused: string | null
  onRun: () => void
}

export function AllocationBar({
  planning,
  weights,
  others,
  otherPlan,
  mayRun,
  refused,
  onRun,
}: AllocationBarProps): ReactNode {
  const t = useText('collection')
  const { terms, edit, plan, make, isMaking } = planning
  return (
    <div className="alloc-bar">
      <label className="check">
        <input
          type="checkbox"
          role="switch"
          checked={terms.scope === 'all'}
          onChange={(event) => edit({ scope: event.target.checked ? 'all' : 'unallocated' })}
        />
        {t('alloc.all')}
      </label>
      <span className="bp6-html-select field-select alloc-mode">
        <select
          aria-label={t('setup.col.mode')}
          value={terms.mode}
          onChange={(event) => edit({ mode: event.target.value as PlanMode })}
        >
          {MODES.map((value) => (
            <option
              key={value}
              value={value}
              disabled={value === 'manual' && terms.picks.length === 0}
            >
              {t(`mode.${value}`)}
            </option>
          ))}
        </select>
        <span className="field-caret" aria-hidden="true" />
      </span>
      <OverdueRange terms={terms} edit={edit} />
      {weights !== null && (
        <span
          className={weights === 100 ? 'alloc-weights' : 'alloc-weights is-wrong'}
          role="status"
        >
          {t('alloc.weights', { total: weights })}
        </span>
      )}
      <Presence members={others} />
      {otherPlan !== null && (
        <span className="case-note">
          {t('alloc.editing', { name: otherPlan.createdByName, version: otherPlan.version })}
        </span>
      )}
      {mayRun && (
        <span className="alloc-actions">
          <ActionButton
            text={t('alloc.preview')}
            keys="V"
            disabledReason={refused}
            busy={isMaking}
            onClick={() => make()}
          />
          <ActionButton
            intent="primary"
            icon="play"
            text={t('alloc.run')}
            keys="Ctrl+Enter"
            disabledReason={refused ?? (plan === null ? t('alloc.previewFirst') : null)}
            onClick={onRun}
          />
        </span>
      )}
    </div>
  )
}

const MOST_DAYS = 9_999

/** Range of days overdue that narrows the cases of the run. */
function OverdueRange({
  terms,
  edit,
}: {
  terms: Terms
  edit: (change: Partial<Terms>) => void
}): ReactNode {
  const t = useText('collection')
  const field = (name: 'overdueFrom' | 'overdueTo') => (
    <input
      className="bp6-input tabular"
      type="number"
      min={0}
      max={MOST_DAYS}
      value={terms[name] ?? ''}
      aria-label={t(`alloc.${name}`)}
      onChange={(event) =>
        edit({
          [name]:
            event.target.value === ''
              ? null
              : Math.max(0, Math.min(MOST_DAYS, Math.round(event.target.valueAsNumber))),
        })
      }
    />
  )
  return (
    <span className="alloc-days" role="group" aria-label={t('desk.col.overdueDays')}>
      {t('desk.col.overdueDays')} {field('overdueFrom')}–{field('overdueTo')}
    </span>
  )
}
