/** The weekly duty table: shifts painted on Blueprint's table and saved together. */
import { useText } from '#client/base/use-text.ts'
import '../collection.css'
import './duty.css'
import { Button } from '@blueprintjs/core'
import type { Region } from '@blueprintjs/table'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { CallError } from '#client/session/call-error.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { useLive } from '#client/live/use-live.ts'
import { useWatch } from '#client/live/watch.ts'
import { showMessage } from '#client/session/messages.ts'
import { usePermission } from '#client/session/page.tsx'
import { queryOf, useSend } from '#client/session/query.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSession } from '#client/session/session-store.ts'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { ConfirmAction } from '#client/ui/feedback/ConfirmAction.tsx'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import { markUnsaved } from '#client/ui/form/unsaved.ts'
import { SHIFT_HOURS, SHIFTS, type Shift } from '#shared/collection/collection-sets.ts'
import {
  copySchedule,
  importSchedule,
  listSchedule,
  saveSchedule,
} from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { CHANGED_BY_OTHER } from '#shared/kernel/problem.ts'
import { addDays, istDay } from '#shared/kernel/time.ts'
import { DutyFooter } from './DutyFooter.tsx'
import { type Duty, DutyTable } from './DutyTable.tsx'
import { type DutyUnit, DutyUnits, UNITS } from './DutyUnits.tsx'
import { ImportSchedule } from './ImportSchedule.tsx'
import { dutyFooter, isoWeekday, mondayOf, paint, type Week } from './duty-week.ts'
import { useDutyKeys } from './use-duty-keys.ts'
import { WeekPicker } from './WeekPicker.tsx'

export function Screen(): ReactNode {
  const t = useText('collection')
  const { user } = useSession()
  const { reason: offline } = useConnection()
  const mayEdit = usePermission(saveSchedule.access)
  const mayCopy = usePermission(copySchedule.access)
  const mayImport = usePermission(importSchedule.access)
  const [search, setSearch] = useSearchParams()
  const week = mondayOf(realDay(search.get('week')) ?? istDay(serverNow()))
  const unit = {
    agencyId: search.get('agencyId') ?? undefined,
    departmentId: search.get('departmentId') ?? undefined,
    groupId: search.get('groupId') ?? undefined,
  }
  const list = useQuery({
    ...queryOf(listSchedule, { weekStart: week, ...unit }, { quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const tree = useQuery({ ...queryOf(collectionTree, {}, { quiet: true }), staleTime: 60_000 })
  const save = useSend(saveSchedule, { quiet: true })
  const copy = useSend(copySchedule, { quiet: true })
  /** Weeks changed here and not yet saved, by person. */
  const [painted, setPainted] = useState<ReadonlyMap<string, Week>>(new Map())
  const [regions, setRegions] = useState<Region[]>([])
  const table = useRef<HTMLDivElement>(null)
  const [question, setQuestion] = useState<'save' | 'copy' | null>(null)
  const [importing, setImporting] = useState(false)
  useWatch('menu', 'urge_schedule')
  useLive(['schedule.changed'], () => void list.refetch())
  useEffect(() => (painted.size > 0 ? markUnsaved() : undefined), [painted.size])

  const rows = useMemo(() => list.data?.rows ?? [], [list.data])
  const isPart = user.scope.kind !== 'all' || Object.values(unit).some((id) => id !== undefined)
  const today = list.data?.today ?? ''
  const days = useMemo(() => Array.from({ length: 7 }, (_, n) => addDays(week, n)), [week])
  const weekOf = (row: Duty): Week => painted.get(row.userId) ?? row.days
  const footer = dutyFooter(
    rows.map((row) => ({ stageIds: row.stageIds, days: weekOf(row) })),
    list.data?.stages ?? [],
    isPart,
  )
  const todayAt = today >= week && today <= addDays(week, 6) ? isoWeekday(today) : -1
  const touchesToday =
    todayAt >= 0 &&
    rows.some(
      (row) =>
        painted.get(row.userId) !== undefined &&
        painted.get(row.userId)?.[todayAt] !== row.days[todayAt],
    )

  function brush(shift: Shift): void {
    if (offline !== null) return
    setPainted((now) => {
      const next = new Map(now)
      for (const [at, week] of paint(rows.map(weekOf), regions, shift)) {
        const row = rows[at] as Duty
        if (week.join() === row.days.join()) next.delete(row.userId)
        else next.set(row.userId, week)
      }
      return next
    })
  }
  async function send(): Promise<void> {
    try {
      await save.mutateAsync({
        weekStart: week,
        rows: rows
          .filter((row) => painted.has(row.userId))
          .map((row) => ({ userId: row.userId, version: row.version, days: [...weekOf(row)] })),
      })
    } catch (error) {
      // unsaved changes stay on top of the fresh weeks
      if (error instanceof CallError && error.problem?.id === CHANGED_BY_OTHER.id)
        await list.refetch()
      throw error
    }
    setPainted(new Map())
    void showMessage({ intent: 'success', message: t('setup.saved'), key: 'schedule' })
    await list.refetch()
  }
  function saveNow(): void {
    if (touchesToday) setQuestion('save')
    else
      send().catch(
        (error: unknown) =>
          void showMessage({
            intent: 'danger',
            message: error instanceof Error ? error.message : '',
            key: 'schedule',
          }),
      )
  }
  useDutyKeys({
    table,
    regions,
    onRegions: setRegions,
    brush: mayEdit ? brush : null,
    save: offline === null && painted.size > 0 && !save.isPending ? saveNow : null,
  })
  const go = (monday: string) => {
    setPainted(new Map())
    setSearch((now) => {
      const next = new URLSearchParams(now)
      next.set('week', monday)
      return next
    })
  }
  const narrow = (change: DutyUnit) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      for (const name of UNITS) next.delete(name)
      for (const [name, value] of Object.entries(change)) if (value) next.set(name, value)
      return next
    })

  const groups = (tree.data?.groups ?? []).filter(
    (group) =>
      (unit.agencyId === undefined || group.agencyId === unit.agencyId) &&
      (unit.departmentId === undefined || group.departmentId === unit.departmentId),
  )
  // only of the visible rows
  const copied =
    unit.groupId !== undefined
      ? [unit.groupId]
      : unit.agencyId !== undefined || unit.departmentId !== undefined
        ? groups.map(({ id }) => id)
        : null
  const online = new Set(
    (tree.data?.collectors ?? []).flatMap((collector) =>
      collector.online ? [collector.userId] : [],
    ),
  )
  return (
    <div className="collection-list duty">
      <h1 className="visually-hidden">{t('menu.urge_schedule')}</h1>
      <div className="duty-bar">
        <Button
          icon="chevron-left"
          aria-label={t('setup.previousWeek')}
          title={t('setup.previousWeek')}
          disabled={painted.size > 0}
          onClick={() => go(addDays(week, -7))}
        />
        <WeekPicker
          week={week}
          today={istDay(serverNow())}
          disabled={painted.size > 0}
          onPick={go}
        />
        <Button
          icon="chevron-right"
          aria-label={t('setup.nextWeek')}
          title={t('setup.nextWeek')}
          disabled={painted.size > 0}
          onClick={() => go(addDays(week, 7))}
        />
        <DutyUnits tree={tree.data} unit={unit} groups={groups} onChange={narrow} />
        <span className="duty-actions">
          {mayImport && (
            <ActionButton
              icon="import"
              text={t('setup.import')}
              disabledReason={offline ?? (painted.size > 0 ? t('setup.saveFirst') : null)}
              onClick={() => setImporting(true)}
            />
          )}
          {mayCopy && (
            <ActionButton
              icon="duplicate"
              text={t('setup.copyWeek')}
              disabledReason={
                offline ??
                (painted.size > 0
                  ? t('setup.saveFirst')
                  : copied?.length === 0
                    ? t('setup.noPersons')
                    : null)
              }
              onClick={() => setQuestion('copy')}
            />
          )}
          {mayEdit && painted.size > 0 && (
            <Button icon="undo" text={t('setup.discard')} onClick={() => setPainted(new Map())} />
          )}
          {mayEdit && (
            <ActionButton
              icon="saved"
              intent="primary"
              keys="Ctrl+Enter"
              text={t('setup.saveWeek', { count: painted.size })}
              disabledReason={offline ?? (painted.size === 0 ? t('setup.nothingPainted') : null)}
              onClick={saveNow}
            />
          )}
        </span>
      </div>
      {mayEdit && (
        <div className="duty-brushes" role="group" aria-label={t('setup.paint')}>
          {SHIFTS.map((shift) => {
            const hours = SHIFT_HOURS[shift]
            return (
              <button
                key={shift}
                type="button"
                className={`duty-brush shift-${shift}`}
                onClick={() => brush(shift)}
              >
                {t(`shift.${shift}`)}{' '}
                {hours && (
                  <span className="tabular">
                    {hours.from}–{hours.to}
                  </span>
                )}{' '}
                <kbd>{t(`shiftKey.${shift}`)}</kbd>
              </button>
            )
          })}
          <span className="duty-help">{t('setup.paintHelp')}</span>
        </div>
      )}
      {list.error && rows.length === 0 ? (
        <ErrorPane error={list.error} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 && !list.isFetching ? (
        <Empty reason={t('setup.noPersons')} />
      ) : (
        <DutyTable
          body={table}
          rows={rows}
          weekOf={weekOf}
          painted={painted}
          days={days}
          todayAt={todayAt}
          online={online}
          regions={regions}
          onRegions={setRegions}
        />
      )}
      <DutyFooter days={days} stages={footer} />
      <ConfirmAction
        isOpen={question === 'save'}
        intent="warning"
        title={t('setup.askToday')}
        count={painted.size}
        confirmText={t('setup.save')}
        onConfirm={send}
        onClose={() => setQuestion(null)}
      >
        <p>{t('setup.todayHint')}</p>
      </ConfirmAction>
      <ConfirmAction
        isOpen={question === 'copy'}
        intent="warning"
        title={t('setup.copyWeek')}
        confirmText={t('setup.copyWeek')}
        onConfirm={async () => {
          const { count } = await copy.mutateAsync({
            fromWeek: addDays(week, -7),
            toWeek: week,
            ...(copied === null ? {} : { groupIds: copied }),
          })
          void showMessage({
            intent: 'success',
            message: t('setup.copied', { people: count }),
            key: 'schedule',
          })
          await list.refetch()
        }}
        onClose={() => setQuestion(null)}
      >
        <p>{t('setup.copyHint')}</p>
        {todayAt >= 0 && <p>{t('setup.todayHint')}</p>}
      </ConfirmAction>
      {importing && (
        <ImportSchedule
          weekStart={week}
          units={unit}
          touchesToday={todayAt >= 0}
          onDone={() => void list.refetch()}
          onClose={() => setImporting(false)}
        />
      )}
    </div>
  )
}

function realDay(text: string | null): string | null {
  return text !== null &&
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
    ? text
    : null
}
