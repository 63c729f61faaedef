/** Cells of the ticket lists that change by themselves: the clock of a ticket, and whether its processor is here. DOM only, as in the grid kit. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { PresenceMember, PresenceState } from '#shared/kernel/live.ts'
import { subscribeSecond, uiNow } from '#client/ui/clock.ts'
import type { CellTools } from '#client/ui/grid-columns.ts'
import { avatarClass, initials } from '#client/ui/Presence.tsx'
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

let present: ReadonlyMap<string, PresenceState> = new Map()
const presenceListeners = new Set<() => void>()

/** Who has the ticket screens open now; grid cells are no React and hear it here. */
export function setProcessorPresence(members: readonly PresenceMember[]): void {
  present = new Map(members.map((member) => [member.userId, member.state]))
  for (const listener of [...presenceListeners]) listener()
}

/** Avatar and name of the processor, with a dot while he is at the tickets. */
export class ProcessorCell implements ICellRendererComp {
  private readonly gui = document.createElement('span')
  private row: TicketRow | undefined
  private readonly redraw = () => this.draw()

  init(params: Params): void {
    presenceListeners.add(this.redraw)
    this.refresh(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh({ data }: Params): boolean {
    this.row = data
    this.draw()
    return true
  }
  destroy(): void {
    presenceListeners.delete(this.redraw)
  }
  private draw(): void {
    const { processorId, processorName } = this.row ?? {}
    this.gui.className = 'processor'
    this.gui.replaceChildren()
    if (!processorId || !processorName) return
    const state = present.get(processorId)
    const face = part(avatarClass({ userId: processorId, editing: false, state: state === 'away' ? 'away' : 'online' }), initials(processorName))
    face.setAttribute('aria-hidden', 'true')
    this.gui.append(face, part('processor-name', processorName), ...(state ? [part(`dot dot-${state}`, '')] : []))
  }
}

function part(className: string, text: string): HTMLSpanElement {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}
