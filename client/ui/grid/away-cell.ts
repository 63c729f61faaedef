/**
 * A link from a row to another record, such as its order or instalment. DOM only, like all cells of
 * the grid.
 */
import { navigate } from 'wouter/use-browser-location'
import { Cell, type CellParams } from './grid-cells.ts'
import type { GridColumn } from './column-types.ts'
import { type ColumnSpec, textColumn } from './grid-columns.ts'

export class AwayCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    const href = data === undefined ? '' : (of.href?.(data) ?? '')
    const text = data === undefined ? '' : of.text(data, context)
    if (href === '') {
      this.gui.textContent = text
      return
    }
    const link = document.createElement('a')
    link.className = 'cell-link'
    link.href = href
    link.textContent = text
    // Tab leaves the grid in one step.
    link.tabIndex = -1
    link.onclick = (event) => {
      event.stopPropagation()
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      navigate(link.pathname + link.search)
    }
    this.gui.replaceChildren(link)
  }
}

/** A text that leads to another record where `href` is not empty. */
export function awayColumn<Row>(
  spec: ColumnSpec<Row, string | null> & { href: (row: Row) => string },
): GridColumn<Row> {
  return { ...textColumn<Row>(spec), renderer: AwayCell }
}

/**
 * Turns the columns named in `links` into links; a row without a target shows its text, and a
 * column that is a link already stays as it is.
 */
export function withLinks<Row>(
  columns: readonly GridColumn<Row>[],
  links: Partial<Record<string, (row: Row) => string>>,
): readonly GridColumn<Row>[] {
  return columns.map((column) => {
    const href = column.href === undefined ? links[column.id] : undefined
    return href === undefined ? column : { ...column, renderer: AwayCell, href }
  })
}
