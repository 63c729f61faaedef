/** Cells of the review list that count: how long a row waits, who holds it and for how long. DOM only, as in the grid kit. */
import type { ICellRendererComp, ICellRendererParams } from 'ag-grid-community'
import { subscribeSecond, uiNow } from '#client/ui/clock.ts'
import { formatDuration } from '#client/ui/ist-format.ts'
import { Attendance, staffCell } from '#client/ui/staff-cell.ts'
import type { ReviewRow } from '../review-types.ts'

/** Waiting longer is amber, then red (ux.md 5.2). */
export const WAIT_WARN_MS = 5 * 60_000
export const WAIT_BAD_MS = 10 * 60_000
const LEASE_WARN_MS = 60_000
const LEASE_BAD_MS = 15_000

type Params = ICellRendererParams<ReviewRow>

abstract class TickingCell implements ICellRendererComp {
  protected gui = document.createElement('span')
  protected row: ReviewRow | undefined
  private stop: (() => void) | null = null

  init({ data }: Params): void {
    this.row = data
    this.stop ??= subscribeSecond(() => this.tell())
    this.draw()
    this.tell()
  }
  getGui(): HTMLElement {
    return this.gui
  }
  refresh({ data }: Params): boolean {
    this.row = data
    this.draw()
    this.tell()
    return true
  }
  destroy(): void {
    this.stop?.()
  }
  protected abstract draw(): void
  protected abstract tell(): void
}

/** mm:ss in the queue, over a bar that fills up to the limit. */
export class WaitCell extends TickingCell {
  private text = document.createElement('span')

  protected draw(): void {
    this.gui.className = 'wait tabular'
    this.gui.replaceChildren(this.text)
  }
  protected tell(): void {
    const since = this.row?.state === 'unclaimed' ? this.row.queuedTime : null
    const ms = since === null ? null : Math.max(0, uiNow() - Date.parse(since))
    const text = ms === null ? '—' : formatDuration(ms)
    if (this.text.textContent !== text) this.text.textContent = text
    this.gui.style.setProperty(
      '--wait',
      `${Math.round(Math.min(100, ((ms ?? 0) / WAIT_BAD_MS) * 100))}%`,
    )
    this.gui.dataset.tone =
      ms === null ? 'none' : ms >= WAIT_BAD_MS ? 'bad' : ms >= WAIT_WARN_MS ? 'warn' : 'calm'
  }
}

/** Who has the review screens open now. */
export const reviewersHere = new Attendance()
/** Of the holder or decider. */
export const HolderCell = staffCell<ReviewRow>(reviewersHere, ({ reviewerId, reviewerName }) => ({
  userId: reviewerId,
  userName: reviewerName,
}))

/** What is left of the lease; a renewal of another person is not told, so an old one says nothing. */
export class LeaseCell extends TickingCell {
  protected draw(): void {
    this.gui.className = 'tabular'
  }
  protected tell(): void {
    const until = this.row?.leaseUntil ?? null
    const left = until === null ? null : Date.parse(until) - uiNow()
    const text = left === null ? '' : left <= 0 ? '…' : formatDuration(left)
    if (this.gui.textContent !== text) this.gui.textContent = text
    this.gui.classList.toggle('is-bad', left !== null && left > 0 && left <= LEASE_BAD_MS)
    this.gui.classList.toggle(
      'is-warn',
      left !== null && left > LEASE_BAD_MS && left <= LEASE_WARN_MS,
    )
  }
}
