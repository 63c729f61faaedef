/** A link of a row that leads elsewhere than to the row itself. DOM only, as in the grid kit. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import { navigate } from 'wouter/use-browser-location'
import type { OrderRow } from '../order-types.ts'
import { reviewPath } from '../order-words.ts'

export class ReviewCell implements ICellRendererComp {
  private gui = document.createElement('span')

  init({ data }: ICellRendererParams<OrderRow>): void {
    this.draw(data?.reviewId ?? null)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh({ data }: ICellRendererParams<OrderRow>): boolean {
    this.draw(data?.reviewId ?? null)
    return true
  }
  private draw(reviewId: string | null): void {
    if (reviewId === null) return this.gui.replaceChildren()
    const link = document.createElement('a')
    link.className = 'cell-link'
    link.href = reviewPath(reviewId)
    link.textContent = reviewId
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
