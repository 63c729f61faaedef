/** A link of a row that leads elsewhere than to the row itself: its order, its instalment. DOM only, as in the grid kit. */
import { navigate } from 'wouter/use-browser-location'
import { Cell, type CellParams } from './grid-cells.ts'
import type { GridColumn } from './grid-columns.ts'

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
    // Tab leaves the grid in one.
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

/** Makes links of the columns `links` knows a way for, by their ids; a row without one shows its text, and a column that leads somewhere already stays as it is. */
export function withLinks<Row>(
  columns: readonly GridColumn<Row>[],
  links: Partial<Record<string, (row: Row) => string>>,
): readonly GridColumn<Row>[] {
  return columns.map((column) => {
    const href = column.href === undefined ? links[column.id] : undefined
    return href === undefined ? column : { ...column, renderer: AwayCell, href }
  })
}
