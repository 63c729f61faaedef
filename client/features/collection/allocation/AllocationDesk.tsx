/** The allocation desk: what waits, who would get what, and the progress of the run. */
import { useText } from '#client/base/use-text.ts'
import { Button, Callout } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSend } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { actorLabel } from '#client/session/actor-label.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { autoAllocate, undoRun } from '#shared/collection/allocation-api.ts'
import { openAllocation, weighAgencies } from '#shared/collection/setup-api.ts'
import { formatBasisPoints } from '#shared/kernel/money.ts'
import { WeightsForm } from '../setup/WeightsForm.tsx'
import { AllocationBar } from './AllocationBar.tsx'
import { AllocationPool } from './AllocationPool.tsx'
import { AllocationRuns } from './AllocationRuns.tsx'
import { AllocationTree } from './AllocationTree.tsx'
import { type TreeRow, treeOf } from './allocation-tree.ts'
import { AssignCasesForm, AssignForm } from './AssignForm.tsx'
import {
  type ChosenCases,
  type Conflict,
  type HandPick,
  stagesOf,
  useAllocationPlan,
  weightsOf,
} from './use-allocation-plan.ts'
import { type Run, useDeskNews } from './use-desk-news.ts'

/** Who is here: the other tabs of the screen have viewers of their own. */
const DESK = 'pedding_list.desk'

type OpenDialog =
  | { kind: 'run' }
  | { kind: 'undo'; run: Run }
  | { kind: 'assign'; collectorId: string; stageId?: string }
  | { kind: 'weights' }

interface AllocationDeskProps {
  /** Cases chosen in the pool's list; the form for their receiver opens at once. */
  chosen: ChosenCases | null
  /** The chosen cases were assigned or dropped. */
  onChosenDone: () => void
}

export function AllocationDesk({ chosen, onChosenDone }: AllocationDeskProps): ReactNode {
  const t = useText('collection')
  const [, navigate] = useLocation()
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayRun = usePermission(autoAllocate.access)
  const mayToggle = usePermission(openAllocation.access)
  const mayWeigh = usePermission(weighAgencies.access)
  const news = useDeskNews(mayRun)
  const { desk: read, runs, running, readAgain } = news
  const desk = read.data
  const planning = useAllocationPlan(desk)
  const { terms, edit, plan, make, refusal, conflict, takeOver } = planning
  const others = useWatch('menu', DESK).filter((member) => member.userId !== user.userId)
  const toggle = useSend(openAllocation)
  const undo = useSend(undoRun)
  const [dialog, setDialog] = useState<OpenDialog | null>(
    chosen === null ? null : { kind: 'assign', collectorId: '' },
  )
  const rows = useMemo(
    () => treeOf(desk?.agencies ?? [], plan?.rows ?? desk?.lines ?? [], desk?.work ?? []),
    [desk, plan],
  )
  const isEditing = plan !== null
  useEffect(() => {
    setEditing('menu', DESK, isEditing)
    return () => setEditing('menu', DESK, false)
  }, [isEditing])

  const sharesAgencies = user.scope.kind === 'all'
  const weights = desk ? weightsOf(desk, terms) : null
  // without a choice of stages, the plan would leave out those of a run without a word; the desk
  // may be read before its runs
  const runBy =
    running?.startBy ??
    (terms.stages === null
      ? desk?.pool.find((stage) => stage.allocationState === 'allocating')?.runBy
      : null) ??
    null
  const refused =
    offline ??
    (desk && stagesOf(desk, terms).length === 0
      ? t(desk.pool.some(({ cases }) => cases > 0) ? 'alloc.chooseStage' : 'alloc.nothing')
      : null) ??
    (sharesAgencies && weights && weights.total !== 100
      ? t('setup.totalWrong', { total: weights.total })
      : null) ??
    (runBy !== null ? t('alloc.runs', { name: actorLabel(runBy) }) : null)
  const lastUndoable = runs.find((run) => run.undoable > 0)
  const rests = dialog !== null
  useShortcuts(
    'screen',
    mayRun
      ? [
          {
            id: 'alloc-preview',
            code: 'KeyV',
            labelKey: 'collection:alloc.key.preview',
            when: () => !rests && refused === null,
            run: () => void make(),
          },
          {
            id: 'alloc-run',
            code: 'Control+Enter',
            labelKey: 'collection:alloc.key.run',
            when: () => !rests && refused === null && plan !== null,
            run: () => setDialog({ kind: 'run' }),
          },
          {
            id: 'alloc-undo',
            code: 'KeyZ',
            labelKey: 'collection:alloc.key.undo',
            when: () => !rests && offline === null && lastUndoable !== undefined,
            run: () => lastUndoable && setDialog({ kind: 'undo', run: lastUndoable }),
          },
        ]
      : [],
  )
  /**
   * Plans at once with one more assignment by hand.
   * @param keeps which earlier assignments by hand stay
   */
  function giveByHand(pick: HandPick, keeps: (one: HandPick) => boolean): Promise<void> {
    return make({
      mode: terms.picks.length === 0 ? 'manual' : terms.mode,
      picks: [...terms.picks.filter(keeps), pick],
    })
  }
  async function toggleAllocation(row: TreeRow): Promise<void> {
    if (offline !== null) return
    const open = row.flags.includes('closed')
    await toggle.mutateAsync({ userIds: [row.id], open })
    void showMessage({
      intent: 'success',
      message: t(open ? 'alloc.opened' : 'alloc.closed', { name: row.name }),
      key: 'allocation',
    })
    readAgain()
  }

  if (!desk || !weights)
    return read.error ? (
      <ErrorPane error={read.error} onRetry={() => void read.refetch()} />
    ) : (
      <div className="alloc" aria-busy="true" />
    )
  const waiting = stagesOf(desk, terms).reduce((sum, stage) => sum + stage.cases, 0)
  // of allocated cases most may stay where they are
  const moved = (plan?.rows ?? []).reduce((sum, { gets }) => sum + gets, 0)
  const undoing = dialog?.kind === 'undo' ? dialog.run : null
  const toSchedule = (
    <Button
      size="small"
      text={t('menu.urge_schedule')}
      onClick={() => navigate('/loaned_management/urge_schedule')}
    />
  )
  return (
    <div className="alloc">
      <AllocationBar
        planning={planning}
        weights={sharesAgencies ? weights.total : null}
        others={others}
        otherPlan={
          desk.plan !== null && desk.plan.createdByName !== user.userName ? desk.plan : null
        }
        mayRun={mayRun}
        refused={refused}
        onRun={() => setDialog({ kind: 'run' })}
      />
      {refusal !== null && (
        <Callout intent="danger" icon="error" className="alloc-note" role="alert">
          {refusal.text} {refusal.lacksPeople && toSchedule}
        </Callout>
      )}
      {plan !== null && !planning.isStale && plan.stagesWithout.length > 0 && (
        <Callout intent="warning" icon="people" className="alloc-note" role="status">
          {t('alloc.without', { stages: plan.stagesWithout.join(', ') })} {toSchedule}
        </Callout>
      )}
      {conflict !== null && <ConflictNote conflict={conflict} onTake={takeOver} />}
      {running !== null && running.startBy !== user.userName && (
        <Callout intent="primary" icon="lock" className="alloc-note">
          {t('alloc.runs', { name: actorLabel(running.startBy) })}
        </Callout>
      )}
      {desk.lines.length > 0 && desk.lines.every((line) => !line.onDuty) && (
        <Callout intent="danger" icon="people" className="alloc-note" role="alert">
          {t('alloc.nobody', { cases: waiting })} {toSchedule}
        </Callout>
      )}
      <div className="alloc-body">
        <AllocationPool
          desk={desk}
          planning={planning}
          chosenCases={chosen}
          onDropChosen={onChosenDone}
          mayRun={mayRun}
        />
        <AllocationTree
          rows={rows}
          weights={
            mayRun && sharesAgencies
              ? {
                  of: weights.weightOf,
                  set: (agencyId, weight) =>
                    edit({ weights: new Map(terms.weights).set(agencyId, weight) }),
                }
              : null
          }
          onAssign={
            mayRun
              ? (row, stageId) =>
                  setDialog({
                    kind: 'assign',
                    collectorId: row.id,
                    ...(stageId === undefined ? {} : { stageId }),
                  })
              : null
          }
          onToggle={mayToggle ? (row) => void toggleAllocation(row).catch(() => undefined) : null}
          onLock={mayWeigh ? () => setDialog({ kind: 'weights' }) : null}
        />
        <AllocationRuns
          news={news}
          plan={plan}
          mayRun={mayRun}
          offline={offline}
          onUndo={(run) => setDialog({ kind: 'undo', run })}
        />
      </div>
      {dialog?.kind === 'weights' && (
        <WeightsForm onDone={readAgain} onClose={() => setDialog(null)} />
      )}
      {dialog?.kind === 'assign' && chosen !== null && dialog.stageId === undefined && (
        <AssignCasesForm
          desk={desk}
          chosen={chosen}
          collectorId={dialog.collectorId}
          onClose={() => setDialog(null)}
          onPick={(pick) => giveByHand(pick, () => true).then(onChosenDone)}
        />
      )}
      {dialog?.kind === 'assign' && (chosen === null || dialog.stageId !== undefined) && (
        <AssignForm
          desk={desk}
          collectorId={dialog.collectorId}
          stageId={dialog.stageId}
          onClose={() => setDialog(null)}
          onPick={(pick) =>
            giveByHand(
              pick,
              (one) =>
                'caseIds' in one ||
                one.stageId !== pick.stageId ||
                one.collectorId !== pick.collectorId,
            )
          }
        />
      )}
      <ConfirmAction
        isOpen={dialog?.kind === 'run'}
        intent="primary"
        title={t('alloc.askRun')}
        count={moved}
        {...(terms.scope === 'all' ? {} : { amount: plan?.amount ?? 0 })}
        confirmText={t('alloc.run')}
        onClose={() => setDialog(null)}
        onConfirm={async () => {
          await planning.run()
          readAgain()
        }}
      >
        <p>
          {t('alloc.askRunHint', {
            deviation: formatBasisPoints(plan?.maxDeviation ?? 0),
            noRoom: plan?.excluded.noCapacity ?? 0,
          })}
        </p>
        {terms.scope === 'all' && <p>{t('alloc.askAllHint')}</p>}
      </ConfirmAction>
      <ConfirmAction
        isOpen={undoing !== null}
        intent="warning"
        title={t('alloc.askUndo')}
        count={undoing?.undoable ?? 0}
        reason={{ min: 4, max: 200 }}
        confirmText={t('alloc.undoShort')}
        onClose={() => setDialog(null)}
        onConfirm={async (reason) => {
          if (undoing === null) return
          const result = await undo.mutateAsync({ runId: undoing.runId, reason })
          void showMessage({
            intent: 'success',
            message:
              result.jobId === undefined
                ? t('alloc.undone', { back: result.ok.length, kept: result.failed.length })
                : t('desk.asJob'),
            key: 'undo',
          })
          readAgain()
        }}
      >
        <p>{t('alloc.undoHint')}</p>
      </ConfirmAction>
    </div>
  )
}

const NAMED = 5

/** Someone changed the same plan: shows the difference and how to continue. */
function ConflictNote({ conflict, onTake }: { conflict: Conflict; onTake: () => void }): ReactNode {
  const t = useText('collection')
  const { rows, terms } = conflict.changes
  return (
    <Callout intent="warning" icon="people" className="alloc-note" role="alert">
      {t('alloc.conflict', { name: conflict.userName, version: conflict.plan.version })}
      {terms.length > 0 &&
        ` ${t('alloc.conflictTerms', { terms: terms.map((term) => t(`alloc.term.${term}`)).join(', ') })}`}
      {rows.length > 0 &&
        ` ${rows
          .slice(0, NAMED)
          .map((row) => `${row.collectorName} ${row.before} → ${row.after}`)
          .join(', ')}${rows.length > NAMED ? ` +${rows.length - NAMED}` : ''}`}{' '}
      <Button size="small" text={t('alloc.takeOver')} onClick={onTake} />
    </Callout>
  )
}
