/** The cursor of a plot: follows the pointer, or the keys while the plot has the focus. */
import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { type Cursor, type CursorSpace, moveCursor } from './chart-cursor.ts'

interface CursorProps {
  tabIndex: 0
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onPointerLeave: () => void
  onClick: (event: PointerEvent | React.MouseEvent) => void
}

/**
 * @param placeOf the place under the pointer, from the left and top of the plot
 * @param open opens the rows behind a place
 */
export function useCursor(
  space: CursorSpace,
  placeOf: (x: number, y: number) => Cursor,
  open: (cursor: Cursor) => void,
): { cursor: Cursor | null; props: CursorProps } {
  const [chosen, setCursor] = useState<Cursor | null>(null)
  // Live data and hidden series may leave the chosen place behind.
  const cursor =
    chosen === null || space.points === 0
      ? null
      : {
          point: Math.min(chosen.point, space.points - 1),
          series: Math.min(chosen.series, Math.max(0, space.series - 1)),
        }
  const under = (event: React.MouseEvent): Cursor => {
    const box = event.currentTarget.getBoundingClientRect()
    return placeOf(event.clientX - box.left, event.clientY - box.top)
  }
  return {
    cursor,
    props: {
      tabIndex: 0,
      onFocus(event) {
        if (cursor === null && event.currentTarget.matches(':focus-visible'))
          setCursor({ point: space.points - 1, series: 0 })
      },
      onBlur: () => setCursor(null),
      onKeyDown(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return
        if (event.key === 'Enter' && cursor !== null) open(cursor)
        else if (event.key === 'Escape' && cursor !== null) setCursor(null)
        else {
          const next = moveCursor(cursor, event.key, space)
          if (next === null) return
          setCursor(next)
        }
        event.preventDefault()
        event.stopPropagation()
      },
      onPointerMove: (event) => space.points > 0 && setCursor(under(event)),
      onPointerLeave: () => setCursor(null),
      onClick: (event) => space.points > 0 && open(under(event)),
    },
  }
}
