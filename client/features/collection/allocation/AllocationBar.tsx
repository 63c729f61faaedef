/** Terms of the next run, and the two keys of the desk: look, then run. */
import type { ReactNode } from 'react'
import { ActionButton } from '#client/ui/ActionButton.tsx'
import { Presence } from '#client/ui/Presence.tsx'
import { ALLOCATION_MODES } from '#shared/collection/collection-sets.ts'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { useSay } from '../use-say.ts'
import type { AllocationPlan, PlanMode, Terms } from './use-allocation-plan.ts'

const MODES: readonly PlanMode[] = [...ALLOCATION_MODES, 'manual']

interface AllocationBarProps {
  planning: AllocationPlan
  /** Of the enabled agencies; null where the caller shares nothing out between agencies. */
  weights: number | null
  /** Who else is at the desk, and whose plan is being edited. */
  others: readonly PresenceMember[]
  otherPlan: { createdByName: string; version: number } | null
  mayRun: boolean
  /** Why nothing can be planned now. */
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
  const t = useSay()
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

/** Days overdue, from and to, as the cases of the run are narrowed by. */
function OverdueRange({
  terms,
  edit,
}: {
  terms: Terms
  edit: (change: Partial<Terms>) => void
}): ReactNode {
  const t = useSay()
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
