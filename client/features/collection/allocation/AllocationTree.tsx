/**
 * Who has what and would get what: agencies, departments, groups, collectors. Arrow keys move and
 * fold; a bar of the pool can be dropped on a person.
 */
import { useText } from '#client/base/use-text.ts'
import { Button } from '@blueprintjs/core'
import { type DragEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { type Shortcut, useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import { Empty } from '#client/ui/feedback/Empty.tsx'
import { IstTime } from '#client/ui/value/IstTime.tsx'
import { Money } from '#client/ui/value/Money.tsx'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { DRAGGED_CASES, DRAGGED_STAGE } from './AllocationPool.tsx'
import { clampWeight, largestLoads, shownRows, type TreeRow } from './allocation-tree.ts'
import { WeightInput } from './WeightInput.tsx'

interface AllocationTreeProps {
  rows: readonly TreeRow[]
  /** Weights of this run by agency; null where they cannot be edited. */
  weights: {
    of: (agencyId: string) => number
    set: (agencyId: string, weight: number) => void
  } | null
  /**
   * Assigns cases to a person by hand; null without the permission.
   * @param stageId of a dropped bar; absent = the chosen cases, if any
   */
  onAssign: ((row: TreeRow, stageId?: string) => void) | null
  /** Opens or closes a person for new cases; null without the permission. */
  onToggle: ((row: TreeRow) => void) | null
  /** Changes weights and locks permanently; null without the permission. */
  onLock: (() => void) | null
}

export function AllocationTree({
  rows,
  weights,
  onAssign,
  onToggle,
  onLock,
}: AllocationTreeProps): ReactNode {
  const t = useText('collection')
  // shows the work figures of a row where there is room
  const wide = useMedia('(min-width: 1600px)')
  const table = useRef<HTMLTableElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const shown = shownRows(rows, closed)
  const mostOf = largestLoads(rows)
  const row = shown.find(({ id }) => id === focused)
  const isEditable = (of: TreeRow | undefined): of is TreeRow =>
    of?.kind === 'agency' && weights !== null && !of.flags.includes('locked')
  const weigh = (by: number) =>
    isEditable(row) && weights?.set(row.id, clampWeight(weights.of(row.id) + by))
  const fold = (id: string, shut: boolean) =>
    setClosed((now) => {
      const next = new Set(now)
      if (shut) next.add(id)
      else next.delete(id)
      return next
    })
  const focusRow = (to: TreeRow | undefined) => {
    if (!to) return
    setFocused(to.id)
    table.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(to.id)}"]`)?.focus()
  }
  const keys: Shortcut[] = [
    ...(onAssign
      ? [
          {
            id: 'alloc-assign',
            code: 'KeyA',
            labelKey: 'collection:alloc.key.assign',
            when: () => row?.kind === 'collector',
            run: () => row && onAssign(row),
          },
        ]
      : []),
    ...(weights
      ? [
          {
            id: 'alloc-weight',
            code: 'KeyW',
            labelKey: 'collection:alloc.key.weight',
            when: () => isEditable(row),
            run: () =>
              table.current
                ?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row?.id ?? '')}"] input`)
                ?.focus(),
          },
          {
            id: 'alloc-more',
            code: 'Equal',
            labelKey: 'collection:alloc.key.more',
            when: () => isEditable(row),
            run: () => weigh(1),
          },
          {
            id: 'alloc-less',
            code: 'Minus',
            labelKey: 'collection:alloc.key.less',
            when: () => isEditable(row),
            run: () => weigh(-1),
          },
        ]
      : []),
    ...(onToggle
      ? [
          {
            id: 'alloc-toggle',
            code: 'KeyT',
            labelKey: 'collection:alloc.key.toggle',
            when: () => row?.kind === 'collector',
            run: () => row && onToggle(row),
          },
        ]
      : []),
    ...(onLock
      ? [
          {
            id: 'alloc-lock',
            code: 'KeyL',
            labelKey: 'collection:alloc.key.lock',
            when: () => row?.kind === 'agency',
            run: onLock,
          },
        ]
      : []),
  ]
  useShortcuts('screen', keys)
  function onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement) return
    const at = shown.findIndex(({ id }) => id === focused)
    const handle = {
      ArrowDown: () => focusRow(shown[at + 1]),
      ArrowUp: () => focusRow(shown[at - 1]),
      Home: () => focusRow(shown[0]),
      End: () => focusRow(shown.at(-1)),
      ArrowLeft: () => leave(shown[at]),
      ArrowRight: () => shown[at] && fold(shown[at].id, false),
    }[event.key]
    if (!handle) return
    event.preventDefault()
    handle()
  }
  /** Left closes an open unit; on a person or a closed unit it moves to the parent. */
  function leave(from: TreeRow | undefined): void {
    if (from && from.kind !== 'collector' && !closed.has(from.id)) fold(from.id, true)
    else focusRow(shown.find(({ id }) => id === from?.parentId))
  }
  if (rows.length === 0)
    return (
      <div className="alloc-tree">
        <Empty reason={t('setup.noPersons')} />
      </div>
    )
  return (
    <div className="alloc-tree">
      <table
        ref={table}
        role="treegrid"
        aria-label={t('alloc.tree')}
        aria-rowcount={shown.length + 1}
        onKeyDown={onKey}
      >
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t('alloc.col.unit')}</th>
            <th scope="col">{t('setup.col.onDuty')}</th>
            <th scope="col" className="is-number">
              {t('setup.col.weight')}
            </th>
            <th scope="col">{t('alloc.col.load')}</th>
            <th scope="col" className="is-number">
              {t('alloc.col.gets')}
            </th>
            <th scope="col" className="is-number">
              {t('alloc.col.amountAfter')}
            </th>
            {wide && (
              <>
                <th scope="col" className="is-number" title={t('alloc.col.contactedHint')}>
                  {t('alloc.col.contacted')}
                </th>
                <th scope="col" className="is-number" title={t('alloc.col.keptHint')}>
                  {t('alloc.col.kept')}
                </th>
                <th scope="col" title={t('alloc.col.lastTimeHint')}>
                  {t('alloc.col.lastTime')}
                </th>
              </>
            )}
            <th scope="col">{t('alloc.col.flags')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((one, at) => (
            <tr
              key={one.id}
              data-row={one.id}
              aria-level={one.level}
              aria-rowindex={at + 2}
              aria-expanded={one.kind === 'collector' ? undefined : !closed.has(one.id)}
              tabIndex={(focused ?? shown[0]?.id) === one.id ? 0 : -1}
              className={`is-level-${one.level}${over === one.id ? ' is-over' : ''}`}
              onFocus={() => setFocused(one.id)}
              {...(one.kind === 'collector' && onAssign ? dropping(one, onAssign, setOver) : {})}
            >
              <th scope="row">
                {one.kind !== 'collector' && (
                  <Button
                    variant="minimal"
                    size="small"
                    tabIndex={-1}
                    icon={closed.has(one.id) ? 'caret-right' : 'caret-down'}
                    aria-label={t(closed.has(one.id) ? 'alloc.open' : 'alloc.close', {
                      name: one.name,
                    })}
                    onClick={() => fold(one.id, !closed.has(one.id))}
                  />
                )}
                {one.name}
              </th>
              <td>
                {one.kind === 'collector' ? (
                  <StatusTag tone={one.onDuty > 0 ? 'good' : 'neutral'}>
                    {t(one.onDuty > 0 ? 'alloc.in' : 'alloc.out')}
                  </StatusTag>
                ) : (
                  <span className="tabular">
                    {one.onDuty}/{one.people}
                  </span>
                )}
              </td>
              <td className="is-number">
                {isEditable(one) && weights ? (
                  <WeightInput
                    name={one.name}
                    value={weights.of(one.id)}
                    onChange={(weight) => weights.set(one.id, weight)}
                  />
                ) : one.weight === null ? (
                  ''
                ) : (
                  <span className="tabular">{one.weight}</span>
                )}
              </td>
              <td>
                <Load row={one} most={mostOf.get(one.kind) ?? 1} />
              </td>
              <td className="is-number tabular">{one.gets > 0 ? `+${one.gets}` : ''}</td>
              <td className="is-number">
                <Money paise={one.amountAfter} short />
              </td>
              {wide && (
                <>
                  <td className="is-number tabular">
                    {one.now === 0 ? '' : percent(one.contacted, one.now)}
                  </td>
                  <td className="is-number tabular">
                    {one.judged === 0 ? (
                      ''
                    ) : (
                      <span title={`${one.kept}/${one.judged}`}>
                        {percent(one.kept, one.judged)}
                      </span>
                    )}
                  </td>
                  <td className="tabular">
                    {one.lastTime !== null && <IstTime value={one.lastTime} style="time" />}
                  </td>
                </>
              )}
              <td className="alloc-flags">
                {one.flags.map((flag) => (
                  <StatusTag key={flag} tone="warn">
                    {t(`flag.${flag}`)}
                  </StatusTag>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const percent = (part: number, whole: number) => `${Math.round((part * 100) / whole)} %`

function dropping(
  row: TreeRow,
  onAssign: (row: TreeRow, stageId?: string) => void,
  setOver: (id: string | null) => void,
) {
  return {
    onDragOver: (event: DragEvent) => {
      if (
        !event.dataTransfer.types.includes(DRAGGED_STAGE) &&
        !event.dataTransfer.types.includes(DRAGGED_CASES)
      )
        return
      event.preventDefault()
      setOver(row.id)
    },
    onDragLeave: () => setOver(null),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(null)
      onAssign(row, event.dataTransfer.getData(DRAGGED_STAGE) || undefined)
    },
  }
}

/**
 * What a person or unit has, and what the plan adds, beside the largest load of its kind; the cap
 * is a line where it is inside.
 */
function Load({ row, most }: { row: TreeRow; most: number }): ReactNode {
  return (
    <span className="alloc-load" title={`${row.now} → ${row.after} / ${row.capacity}`}>
      <span className="alloc-load-track">
        <span
          className="alloc-load-now"
          style={{ width: `${Math.min(100, (row.now * 100) / most)}%` }}
        />
        <span
          className="alloc-load-new"
          style={{ width: `${Math.min(100, (row.gets * 100) / most)}%` }}
        />
        {row.capacity <= most && (
          <span
            className="alloc-load-cap"
            style={{ insetInlineStart: `${(row.capacity * 100) / most}%` }}
          />
        )}
      </span>
      <span className="tabular">
        {row.now} → {row.after}
      </span>
    </span>
  )
}
