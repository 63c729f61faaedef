/**
 * Cells that update without new row data: the clock of a ticket and the presence of its processor.
 * Plain DOM, like all cells of the grid kit.
 */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import { subscribeSecond, uiNow } from '#client/ui/value/clock.ts'
import type { CellTools } from '#client/ui/grid/column-types.ts'
import { Attendance, staffCell } from '#client/ui/grid/staff-cell.ts'
import { slaText } from '../sla-words.ts'
import type { TicketRow } from '../ticket-types.ts'

type Params = ICellRendererParams<TicketRow, unknown, CellTools>

/**
 * `2 h 5 min left` in calm, amber or red. The grid destroys cells that scroll out of view, which
 * stops their timer.
 */
export class SlaCell implements ICellRendererComp {
  private readonly gui = document.createElement('span')
  private params: Params | null = null
  private stop: (() => void) | null = null

  init(params: Params): void {
    this.stop ??= subscribeSecond(() => this.render())
    this.refresh(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh(params: Params): boolean {
    this.params = params
    this.render()
    return true
  }
  destroy(): void {
    this.stop?.()
  }
  private render(): void {
    const { data, context } = this.params as Params
    const clock = data === undefined ? null : slaText(data, context.t, uiNow())
    const text = clock?.text ?? '—'
    if (this.gui.textContent !== text) this.gui.textContent = text
    this.gui.className = `sla tabular sla-${clock?.tone ?? 'none'}`
  }
}

/** People who have a ticket screen open. */
export const processorsHere = new Attendance()
export const ProcessorCell = staffCell<TicketRow>(
  processorsHere,
  ({ processorId, processorName }) => ({ userId: processorId, userName: processorName }),
)
