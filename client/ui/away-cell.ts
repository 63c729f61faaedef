/** A link of a row that leads elsewhere than to the row itself: its order, its instalment. DOM only, as in the grid kit. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import { navigate } from 'wouter/use-browser-location'
import type { GridTools } from './grid-cells.ts'
import type { GridColumn } from './grid-columns.ts'

type Params = ICellRendererParams<unknown, unknown, GridTools> & { of: GridColumn<unknown> }

export class AwayCell implements ICellRendererComp {
  private gui = document.createElement('span')

  init(params: Params): void {
    this.draw(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh(params: Params): boolean {
    this.draw(params)
    return true
  }
  private draw({ data, of, context }: Params): void {
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
