/**
 * Cells that need markup, drawn with the DOM alone. Each gets its column's description in
 * `cellRendererParams.column`.
 */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { PresenceMember } from '#shared/kernel/live.ts'
import { subscribeSecond, uiNow } from '#client/ui/value/clock.ts'
import type { CellTools, GridColumn } from './column-types.ts'
import { waitText } from '#client/ui/value/duration-text.ts'
import { drawFace } from '#client/ui/value/faces.ts'
import { avatarClass, initials } from '#client/ui/value/Presence.tsx'

/** What cells may use of their grid; one mutable object for its whole lifetime. */
export interface GridTools extends CellTools {
  presence: (row: unknown) => readonly PresenceMember[]
  leavingReason: (id: string) => string | null
  openMenu: (row: unknown, at: { x: number; y: number }) => void
  /** Space is handled by the screen. */
  peeks: () => boolean
}

export type CellParams = ICellRendererParams<unknown, unknown, GridTools> & {
  column: unknown
  of: GridColumn<unknown>
}

export abstract class Cell implements ICellRendererComp {
  protected gui: HTMLElement = document.createElement('span')

  init(params: CellParams): void {
    this.draw(params)
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh(params: CellParams): boolean {
    this.draw(params)
    return true
  }
  protected abstract draw(params: CellParams): void
}

export function span(className: string, text: string): HTMLSpanElement {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

/** One tag; the first of the column. */
export class TagCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    const tag = data === undefined ? undefined : of.tags?.(data, context)[0]
    this.gui.className = tag?.className ?? ''
    this.gui.textContent = tag?.text ?? ''
  }
}

/**
 * A link when the column has an address; the grid handles the click and opens the record in the
 * console.
 */
export class LinkCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    const href = data === undefined ? undefined : of.href?.(data)
    const text = data === undefined ? '' : of.text(data, context)
    const link = href ? document.createElement('a') : document.createElement('span')
    link.className = 'cell-link'
    link.dataset.open = ''
    link.textContent = text
    if (link instanceof HTMLAnchorElement && href) {
      link.href = href
      // Enter opens the row; Tab leaves the grid in one step.
      link.tabIndex = -1
      // The grid reports a click after the browser has followed the link, which would reload the
      // page.
      link.onclick = (event) => event.preventDefault()
    }
    this.gui.replaceChildren(link)
  }
}

export class StaffCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    const name = data === undefined ? '' : of.text(data, context)
    const state = name && data !== undefined ? of.presence?.(data) : undefined
    const dot = state ? span(`dot dot-${state}`, '') : null
    if (dot && state) dot.title = context.t(`ui:presence.${state}`)
    this.gui.replaceChildren(...(dot ? [dot] : []), name)
  }
}

/** The time since an instant. One timer for all cells; the grid destroys cells out of sight. */
export class DurationCell extends Cell {
  private params: CellParams | null = null
  private stop: (() => void) | null = null

  protected draw(params: CellParams): void {
    this.params = params
    this.gui.classList.add('tabular')
    this.stop ??= subscribeSecond(() => this.show())
    this.show()
  }
  destroy(): void {
    this.stop?.()
  }
  private show(): void {
    const { data, of, context } = this.params as CellParams
    const since = data === undefined ? null : (of.since?.(data) ?? null)
    const ms = since === null ? null : uiNow() - Date.parse(since)
    const text = ms === null ? '—' : waitText(ms, context.t)
    if (this.gui.textContent !== text) this.gui.textContent = text
    const { warnMs = Infinity, badMs = Infinity } = of.limits ?? {}
    this.gui.classList.toggle('is-warn', ms !== null && ms >= warnMs && ms < badMs)
    this.gui.classList.toggle('is-bad', ms !== null && ms >= badMs)
  }
}

/** Who has the row open. */
export class PresenceCell extends Cell {
  protected draw({ data, context }: CellParams): void {
    const members = data === undefined ? [] : context.presence(data)
    const words = members.map(
      (member) =>
        `${member.userName}: ${context.t(`ui:presence.${member.editing ? 'editing' : member.state}`)}`,
    )
    this.gui.className = 'presence'
    this.gui.title = words.join('\n')
    if (members.length) {
      this.gui.setAttribute('role', 'img')
      this.gui.setAttribute('aria-label', words.join(', '))
    } else {
      this.gui.removeAttribute('role')
      this.gui.removeAttribute('aria-label')
    }
    const shown = members.slice(0, members.length > 2 ? 1 : 2).map((member) => {
      const face = span(avatarClass(member), initials(member.userName))
      drawFace(face, member)
      return face
    })
    if (members.length > 2) shown.push(span('avatar avatar-more', `+${members.length - 1}`))
    this.gui.replaceChildren(...shown)
  }
}

/** The ⋯ button of a row; a leaving row shows the reason instead. */
export class MenuCell extends Cell {
  protected draw({ data, node, context }: CellParams): void {
    const reason = node.id === undefined ? null : context.leavingReason(node.id)
    if (reason !== null) {
      this.gui.className = 'cell-leaving'
      this.gui.replaceChildren(span('tag tone-warn', reason || context.t('ui:grid.left')))
      return
    }
    this.gui.className = 'cell-menu'
    const button = document.createElement('button')
    button.type = 'button'
    button.tabIndex = -1
    button.textContent = '⋯'
    button.setAttribute('aria-label', context.t('ui:grid.rowActions'))
    button.setAttribute('aria-haspopup', 'menu')
    button.onclick = (event) => {
      event.stopPropagation()
      const box = button.getBoundingClientRect()
      context.openMenu(data, { x: box.left, y: box.bottom })
    }
    this.gui.replaceChildren(button)
  }
}
