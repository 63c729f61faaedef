import { useStore } from '#client/base/store.ts'
import type { SideItem } from '#client/session/side-items.ts'
import { waitingStore } from '#client/live/waiting.ts'

/** Count of pending work behind a menu entry, or behind those collapsed into it. */
export function SideCount({ item }: { item: SideItem }) {
  const all = useStore(waitingStore)
  const found = pagesOf(item).flatMap(({ name }) => all[name] ?? [])
  const count = found.reduce((sum, one) => sum + one.count, 0)
  const text = found.map((one) => one.text).join(', ')
  return count === 0 ? null : (
    <span className="side-count tabular" role="img" aria-label={text} title={text}>
      {count > 999 ? '999+' : count}
    </span>
  )
}

function pagesOf(item: SideItem): readonly SideItem[] {
  return item.children.length === 0 ? [item] : item.children.flatMap(pagesOf)
}
