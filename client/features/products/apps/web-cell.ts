/** A link out of the console, such as the page of an app in its store: a tab of its own. */
import { Cell, type CellParams } from '#client/ui/grid/grid-cells.ts'

const SAFE = /^https?:\/\//

export class WebCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    const address = data === undefined ? '' : of.text(data, context)
    if (!SAFE.test(address)) {
      this.gui.replaceChildren(address)
      return
    }
    const link = document.createElement('a')
    link.className = 'cell-link'
    link.href = address
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
    link.textContent = address.replace(SAFE, '')
    // Enter opens the row; Tab leaves the grid in one step.
    link.tabIndex = -1
    link.onclick = (event) => event.stopPropagation()
    this.gui.replaceChildren(link)
  }
}
