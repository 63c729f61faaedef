/**
 * A member of staff in a grid: avatar and name, with a dot while they have this screen open. A part
 * of the system has only a label. DOM only, like all cells of the grid.
 */
import './staff-cell.css'
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { PresenceMember } from '#shared/kernel/live.ts'
import type { CellParams } from './grid-cells.ts'
import type { CellTools } from './column-types.ts'
import { drawFace } from '#client/ui/value/faces.ts'
import { avatarClass, initials } from '#client/ui/value/Presence.tsx'

/** Who has a screen open now, for grid cells, which are not React components. */
export class Attendance {
  #members: ReadonlyMap<string, PresenceMember> = new Map()
  readonly #listeners = new Set<() => void>()

  set(members: readonly PresenceMember[]): void {
    this.#members = new Map(members.map((member) => [member.userId, member]))
    for (const listener of [...this.#listeners]) listener()
  }
  memberOf(userId: string): PresenceMember | undefined {
    return this.#members.get(userId)
  }
  /** @returns unsubscribes */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

interface Staff {
  userId: string | null
  userName: string | null
}

/** @param who of a row; without a name the cell stays empty @returns the renderer of a column */
export function staffCell<Row>(
  attendance: Attendance,
  who: (row: Row, tools: CellTools) => Staff,
): new () => ICellRendererComp<Row> {
  return class StaffCell implements ICellRendererComp<Row> {
    readonly #gui = document.createElement('span')
    #staff: Staff = NOBODY
    #stop: (() => void) | null = null

    init(params: ICellRendererParams<Row>): void {
      this.#stop ??= attendance.subscribe(() => this.#draw())
      this.refresh(params)
    }
    getGui(): HTMLElement {
      return this.#gui
    }
    refresh({ data, context }: ICellRendererParams<Row, unknown, CellParams['context']>): boolean {
      this.#staff = data === undefined ? NOBODY : who(data, context)
      this.#draw()
      return true
    }
    destroy(): void {
      this.#stop?.()
    }
    #draw(): void {
      const { userId, userName } = this.#staff
      this.#gui.className = 'staff-cell'
      this.#gui.replaceChildren()
      if (!userName) return
      if (!userId) {
        this.#gui.append(part('staff-name', userName))
        return
      }
      const member = attendance.memberOf(userId)
      const state = member?.state
      const face = part(
        avatarClass({ userId, editing: false, state: state === 'away' ? 'away' : 'online' }),
        initials(userName),
      )
      face.setAttribute('aria-hidden', 'true')
      if (member) drawFace(face, member)
      this.#gui.append(
        face,
        part('staff-name', userName),
        ...(state ? [part(`dot dot-${state}`, '')] : []),
      )
    }
  }
}

const NOBODY: Staff = { userId: null, userName: null }

function part(className: string, text: string): HTMLSpanElement {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}
