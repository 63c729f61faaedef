/** What waits, by stage: click a bar to choose the stage, drag it onto a person to assign it. */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { actorLabel } from '#client/session/actor-label.ts'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { stageClass } from '#client/ui/value/StatusTag.tsx'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import type { Desk } from './allocation-tree.ts'
import { type AllocationPlan, type ChosenCases, stagesOf } from './use-allocation-plan.ts'

/** Drag type of a stage's bar; its data is the stage. */
export const DRAGGED_STAGE = 'application/x-stage'
/** Drag type of the chosen cases; it carries no data of its own. */
export const DRAGGED_CASES = 'application/x-cases'

interface AllocationPoolProps {
  desk: Desk
  planning: AllocationPlan
  /** Chosen in the pool's list and not assigned yet. */
  chosenCases: ChosenCases | null
  onDropChosen: () => void
  mayRun: boolean
}

export function AllocationPool({
  desk,
  planning,
  chosenCases,
  onDropChosen,
  mayRun,
}: AllocationPoolProps): ReactNode {
  const t = useText('collection')
  const { terms, edit, plan } = planning
  const picked = stagesOf(desk, terms)
  const chosen = new Set(picked.map((stage) => stage.stageId))
  const all = desk.pool.reduce((sum, stage) => sum + stage.cases, 0)
  const most = Math.max(1, ...desk.pool.map((stage) => stage.cases))
  const toggle = (stageId: string) => {
    const next = new Set(chosen)
    if (!next.delete(stageId)) next.add(stageId)
    edit({ stages: next })
  }
  const nameOf = (collectorId: string) =>
    desk.lines.find((line) => line.collectorId === collectorId)?.collectorName ?? collectorId
  return (
    <section className="alloc-pool" aria-label={t('alloc.pool')}>
      {chosenCases !== null && (
        <p
          className="alloc-chosen"
          draggable={mayRun}
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAGGED_CASES, 'chosen')
            event.dataTransfer.effectAllowed = 'move'
          }}
        >
          {t('alloc.chosenOf', {
            n: chosenCases.caseIds.length,
            stages: chosenCases.stageIds.join(', '),
          })}
          <Button
            variant="minimal"
            size="small"
            icon="cross"
            aria-label={t('alloc.dropChosen')}
            title={t('alloc.dropChosen')}
            onClick={onDropChosen}
          />
        </p>
      )}
      <h2>{t('alloc.poolOf', { cases: all })}</h2>
      <ul>
        {desk.pool.map((stage) => (
          <li key={stage.stageId}>
            <button
              type="button"
              aria-pressed={chosen.has(stage.stageId)}
              disabled={stage.allocationState === 'allocating'}
              title={stage.runBy === null ? '' : t('alloc.runs', { name: actorLabel(stage.runBy) })}
              draggable={mayRun && stage.cases > 0 && stage.allocationState === 'allocated'}
              onDragStart={(event) => {
                event.dataTransfer.setData(DRAGGED_STAGE, stage.stageId)
                event.dataTransfer.effectAllowed = 'move'
              }}
              onClick={() => toggle(stage.stageId)}
            >
              <span className={stageClass(stage.stageId)}>{stage.stageId}</span>
              <span className="alloc-track">
                <span
                  className={`alloc-fill stage-${stage.stageId.toLowerCase()}`}
                  style={{ width: `${(stage.cases * 100) / most}%` }}
                />
              </span>
              <span className="tabular">{stage.cases}</span>
            </button>
          </li>
        ))}
      </ul>
      {all === 0 && (
        <p className="case-note">
          {desk.nextRunTime === null ? (
            t('alloc.nothing')
          ) : (
            <>
              {t('alloc.nothing')} {t('alloc.next')}{' '}
              <IstTime value={desk.nextRunTime} style="time" />
            </>
          )}
        </p>
      )}
      <dl className="case-facts">
        <div>
          <dt>{t('alloc.selected')}</dt>
          <dd>
            <strong className="tabular">
              {picked.reduce((sum, stage) => sum + stage.cases, 0)}
            </strong>{' '}
            · <Money paise={picked.reduce((sum, stage) => sum + stage.amount, 0)} short />
          </dd>
        </div>
        <div>
          <dt>{t('alloc.oldest')}</dt>
          <dd>
            <IstTime
              value={picked.flatMap((stage) => stage.oldestTime ?? []).toSorted()[0] ?? null}
            />
          </dd>
        </div>
        <div>
          <dt>{t('alloc.excluded')}</dt>
          <dd>
            {t('alloc.excludedOf', {
              held: desk.excluded.held,
              locked: desk.excluded.lockedAgency,
              blacklisted: desk.excluded.blacklisted,
            })}
          </dd>
        </div>
        {all > 0 && desk.nextRunTime !== null && (
          <div>
            <dt>{t('alloc.next')}</dt>
            <dd>
              <IstTime value={desk.nextRunTime} style="time" />
            </dd>
          </div>
        )}
      </dl>
      {terms.picks.length > 0 && (
        <div className="alloc-plan">
          <h2>{t('alloc.byHand')}</h2>
          <ul className="alloc-picks">
            {terms.picks.map((pick) => (
              <li
                key={`${'caseIds' in pick ? pick.caseIds.join(' ') : pick.stageId} ${pick.collectorId}`}
              >
                {('caseIds' in pick ? pick.stageIds : [pick.stageId]).map((stageId) => (
                  <span key={stageId} className={stageClass(stageId)}>
                    {stageId}
                  </span>
                ))}{' '}
                <strong className="tabular">
                  {'caseIds' in pick ? pick.caseIds.length : pick.count}
                </strong>{' '}
                → {nameOf(pick.collectorId)}
                <Button
                  variant="minimal"
                  size="small"
                  icon="cross"
                  aria-label={t('alloc.unpick', {
                    stage: 'caseIds' in pick ? pick.stageIds.join(', ') : pick.stageId,
                    name: nameOf(pick.collectorId),
                  })}
                  onClick={() => {
                    const picks = terms.picks.filter((one) => one !== pick)
                    edit({
                      picks,
                      ...(picks.length === 0 && terms.mode === 'manual' ? { mode: 'average' } : {}),
                    })
                  }}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
      {plan !== null && (
        <dl className="case-facts alloc-plan">
          <div>
            <dt>{t('alloc.plan')}</dt>
            <dd>{t('alloc.placed', { placed: plan.placed, cases: plan.cases })}</dd>
          </div>
          {terms.mode !== 'manual' && (
            <div>
              <dt>{t('alloc.deviation')}</dt>
              <dd className="tabular">{formatBasisPoints(plan.maxDeviation)}</dd>
            </div>
          )}
          {plan.excluded.noCapacity > 0 && (
            <div>
              <dt>{t('alloc.noRoom')}</dt>
              <dd className="tabular is-bad">{plan.excluded.noCapacity}</dd>
            </div>
          )}
          {terms.scope === 'all' && (
            <div>
              <dt>{t('alloc.promised')}</dt>
              <dd className="tabular">{plan.excluded.promisedKept}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}
