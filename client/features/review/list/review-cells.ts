/** Cells with countdowns: waiting time, holder, remaining lease. DOM only, like all grid cells. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import type { Text } from '#client/base/use-text.ts'
import { subscribeSecond, uiNow } from '#client/ui/value/clock.ts'
import type { CellTools } from '#client/ui/grid/column-types.ts'
import { waitText } from '#client/ui/value/duration-text.ts'
import { formatClock } from '#client/ui/value/ist-format.ts'
import { Attendance, staffCell } from '#client/ui/grid/staff-cell.ts'
import type { ReviewRow } from '../review-types.ts'

/** Waiting longer is amber, then red. */
export const WAIT_WARN_MS = 5 * 60_000
export const WAIT_BAD_MS = 10 * 60_000
const LEASE_WARN_MS = 60_000
const LEASE_BAD_MS = 15_000

type Params = ICellRendererParams<ReviewRow, unknown, CellTools>

abstract class TickingCell implements ICellRendererComp {
  protected gui = document.createElement('span')
  protected row: ReviewRow | undefined
  protected t!: Text
  private stop: (() => void) | null = null

  init({ data, context }: Params): void {
    this.row = data
    this.t = context.t
    this.stop ??= subscribeSecond(() => this.update())
    this.draw()
    this.update()
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh({ data, context }: Params): boolean {
    this.row = data
    this.t = context.t
    this.draw()
    this.update()
    return true
  }
  destroy(): void {
    this.stop?.()
  }
  protected abstract draw(): void
  protected abstract update(): void
}

/** The time in the queue, over a bar that fills up to the limit. */
export class WaitCell extends TickingCell {
  private text = document.createElement('span')

  protected draw(): void {
    this.gui.className = 'wait tabular'
    this.gui.replaceChildren(this.text)
  }
  protected update(): void {
    const since = this.row?.state === 'unclaimed' ? this.row.queuedTime : null
    const ms = since === null ? null : Math.max(0, uiNow() - Date.parse(since))
    const text = ms === null ? '—' : waitText(ms, this.t)
    if (this.text.textContent !== text) this.text.textContent = text
    this.gui.style.setProperty(
      '--wait',
      `${Math.round(Math.min(100, ((ms ?? 0) / WAIT_BAD_MS) * 100))}%`,
    )
    this.gui.dataset.tone =
      ms === null ? 'none' : ms >= WAIT_BAD_MS ? 'bad' : ms >= WAIT_WARN_MS ? 'warn' : 'calm'
  }
}

/** Who has the review screens open. */
export const reviewersHere = new Attendance()
/** The holder or decider. */
export const HolderCell = staffCell<ReviewRow>(reviewersHere, ({ reviewerId, reviewerName }) => ({
  userId: reviewerId,
  userName: reviewerName,
}))

/**
 * Remaining lease time. Renewals by others are not sent, so an expired time of theirs is not shown.
 */
export class LeaseCell extends TickingCell {
  protected draw(): void {
    this.gui.className = 'tabular'
  }
  protected update(): void {
    const until = this.row?.leaseUntil ?? null
    const left = until === null ? null : Date.parse(until) - uiNow()
    const text = left === null ? '' : left <= 0 ? '…' : formatClock(left)
    if (this.gui.textContent !== text) this.gui.textContent = text
    this.gui.classList.toggle('is-bad', left !== null && left > 0 && left <= LEASE_BAD_MS)
    this.gui.classList.toggle(
      'is-warn',
      left !== null && left > LEASE_BAD_MS && left <= LEASE_WARN_MS,
    )
  }
}
