/**
 * The 40 px bar above a list: the screen's content, or the actions for the selected rows; live
 * pill, columns, files.
 */
import { Button } from '@blueprintjs/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { formatCount } from '#client/ui/value/ist-format.ts'
import { enterRows } from './front-grid.ts'
import { LivePill } from './LivePill.tsx'
import type { GridSelection } from './use-grid-selection.ts'

interface GridBarProps {
  toolbar?: ReactNode
  selection?: Pick<GridSelection<never>, 'count' | 'clear'>
  bulkBar?: (() => ReactNode) | undefined
  pending: { added: number; moved: number }
  onApply: () => void
  views: ReactNode
  exporter: ReactNode
  columnsMenu: ReactNode
  total: number
}

export function GridBar({
  toolbar,
  selection,
  bulkBar,
  pending,
  onApply,
  views,
  exporter,
  columnsMenu,
  total,
}: GridBarProps): ReactNode {
  const t = useText('ui')
  const count = selection?.count(total) ?? 0
  const selected = t('grid.selected', { count, n: formatCount(count) })
  return (
    <div className="grid-bar">
      {selection && count > 0 && bulkBar ? (
        <div
          className="grid-bulk"
          role="group"
          aria-label={selected}
          data-note={selected}
          onKeyDown={backToRows}
        >
          <strong className="tabular">{selected}</strong>
          {bulkBar()}
          <Button variant="minimal" icon="cross" text={t('grid.clear')} onClick={selection.clear} />
        </div>
      ) : (
        <div className="grid-tools">{toolbar}</div>
      )}
      <LivePill pending={pending} onApply={onApply} />
      {views}
      {columnsMenu}
      {exporter}
    </div>
  )
}

/** One press does one thing: the rows have the focus again, and a panel beside them stays open. */
function backToRows(event: KeyboardEvent<HTMLElement>): void {
  // not of a popover of the bar, which React hands up to here
  if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return
  event.stopPropagation()
  enterRows()
}

/** After "all on this page": the option to select all that match the filter. */
export function AllMatching({
  selection,
  onPage,
  total,
  most,
}: {
  selection: Pick<GridSelection<never>, 'allMatching' | 'clear' | 'selectAllMatching'>
  onPage: number
  total: number
  most: number
}): ReactNode {
  const t = useText('ui')
  return (
    <div className="grid-banner" role="status">
      {selection.allMatching
        ? t('grid.allSelected', { count: total, n: formatCount(total) })
        : t('grid.pageSelected', { count: onPage, n: formatCount(onPage) })}
      {selection.allMatching ? (
        <Button
          variant="minimal"
          size="small"
          intent="primary"
          text={t('grid.clear')}
          onClick={selection.clear}
        />
      ) : total > most ? (
        <span>{t('grid.tooMany', { n: formatCount(most) })}</span>
      ) : (
        <Button
          variant="minimal"
          size="small"
          intent="primary"
          text={t('grid.selectAll', { count: total, n: formatCount(total) })}
          onClick={selection.selectAllMatching}
        />
      )}
    </div>
  )
}
