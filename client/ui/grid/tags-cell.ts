/** Several tags: those that fit, each whole, and how many more there are. */
import { Cell, type CellParams, span } from './grid-cells.ts'

const GAP = 4
/** Of `+9` with its gap. */
const MORE = 32

export class TagsCell extends Cell {
  protected draw({ data, of, context }: CellParams): void {
    this.gui.className = 'cell-tags'
    const tags = data === undefined ? [] : (of.tags?.(data, context) ?? [])
    this.gui.replaceChildren(
      ...tags.map((tag) => span(tag.className, tag.text)),
      span('tag tone-neutral', ''),
    )
    resized ??= new ResizeObserver(fitAll)
    // what is observed anew is reported in its present width
    resized.unobserve(this.gui)
    resized.observe(this.gui)
  }
  destroy(): void {
    resized?.unobserve(this.gui)
  }
}

let resized: ResizeObserver | null = null

/** All cells at once: what is read between two changes makes the browser lay out anew each time. */
function fitAll(entries: readonly ResizeObserverEntry[]): void {
  const cells = entries.map(({ target }) => [...target.children] as HTMLElement[])
  for (const tags of cells) show(tags, Infinity)
  const counts = entries.map(({ contentRect }, i) =>
    fitting(cells[i]?.slice(0, -1).map(({ offsetWidth }) => offsetWidth) ?? [], contentRect.width),
  )
  for (const [i, tags] of cells.entries()) show(tags, counts[i] ?? 0)
}

function show(tags: readonly HTMLElement[], count: number): void {
  const rest = tags.length - 1 - count
  for (const [i, tag] of tags.entries()) tag.hidden = i < tags.length - 1 ? i >= count : rest <= 0
  const more = tags.at(-1)
  if (more && rest > 0) more.textContent = `+${rest}`
}

/**
 * How many tags of these widths fit into the room beside the number of the others; the first is
 * shown in any case.
 */
export function fitting(widths: readonly number[], room: number): number {
  let used = -GAP
  const count = widths.findIndex((width, i) => {
    used += width + GAP
    return used + (i === widths.length - 1 ? 0 : MORE) > room
  })
  return count < 0 ? widths.length : Math.max(1, count)
}
