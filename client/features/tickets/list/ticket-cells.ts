/** Cells of the ticket lists that change by themselves: the clock of a ticket, and whether its processor is here. DOM only, as in the grid kit. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import { subscribeSecond, uiNow } from '#client/ui/clock.ts'
import type { CellTools } from '#client/ui/grid-columns.ts'
import { Attendance, staffCell } from '#client/ui/staff-cell.ts'
import { slaText } from '../sla-words.ts'
import type { TicketRow } from '../ticket-types.ts'

type Params = ICellRendererParams<TicketRow, unknown, CellTools>

/** `2 h 5 min left`, calm, amber or red. A cell out of sight is destroyed by the grid and stops. */
export class SlaCell implements ICellRendererComp {
  private readonly gui = document.createElement('span')
  private params: Params | null = null
  private stop: (() => void) | null = null

  init(params: Params): void {
    this.stop ??= subscribeSecond(() => this.tell())
    this.refresh(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh(params: Params): boolean {
    this.params = params
    this.tell()
    return true
  }
  destroy(): void {
    this.stop?.()
  }
  private tell(): void {
    const { data, context } = this.params as Params
    const clock = data === undefined ? null : slaText(data, context.t, uiNow())
    const text = clock?.text ?? '—'
    if (this.gui.textContent !== text) this.gui.textContent = text
    this.gui.className = `sla tabular sla-${clock?.tone ?? 'none'}`
  }
}

/** Who has the ticket screens open now. */
export const processorsHere = new Attendance()
export const ProcessorCell = staffCell<TicketRow>(
  processorsHere,
  ({ processorId, processorName }) => ({ userId: processorId, userName: processorName }),
)
