/** The place in a chart that the tooltip describes, moved by keys or by the pointer. Pure. */

export interface Cursor {
  /** Index of the point. */
  point: number
  /** Index among the drawn series. */
  series: number
}

export interface CursorSpace {
  points: number
  series: number
  /** Points at which something happened. */
  marks?: readonly number[]
}

const PAGE = 7

/** The place after a key; null when the key does not move it. */
export function moveCursor(
  now: Cursor | null,
  key: string,
  { points, series, marks = [] }: CursorSpace,
): Cursor | null {
  if (points === 0) return null
  const last = points - 1
  const at = now ?? { point: last, series: 0 }
  const to = (point: number): Cursor => ({ ...at, point: Math.min(last, Math.max(0, point)) })
  const turn = (by: number): Cursor =>
    series === 0 ? at : { ...at, series: (at.series + by + series) % series }
  switch (key) {
    case 'ArrowRight':
      return now === null ? to(0) : to(at.point + 1)
    case 'ArrowLeft':
      return now === null ? to(last) : to(at.point - 1)
    case 'PageDown':
      return to(at.point + PAGE)
    case 'PageUp':
      return to(at.point - PAGE)
    case 'Home':
      return to(0)
    case 'End':
      return to(last)
    case 'ArrowDown':
      return turn(1)
    case 'ArrowUp':
      return turn(-1)
    case 'm':
      return to(nextMark(marks, now?.point ?? -1) ?? at.point)
    case 'M':
      return to(markBefore(marks, now?.point ?? points) ?? at.point)
    default:
      return null
  }
}

/** The first mark after a point, else the first of all. */
function nextMark(marks: readonly number[], point: number): number | undefined {
  const sorted = marks.toSorted((a, b) => a - b)
  return sorted.find((mark) => mark > point) ?? sorted[0]
}

function markBefore(marks: readonly number[], point: number): number | undefined {
  const sorted = marks.toSorted((a, b) => b - a)
  return sorted.find((mark) => mark < point) ?? sorted[0]
}

/** The point nearest to a place along x. */
export function nearestPoint(places: readonly number[], x: number): number {
  let best = 0
  for (const [index, place] of places.entries())
    if (Math.abs(place - x) < Math.abs((places[best] ?? 0) - x)) best = index
  return best
}

/** The value nearest to a height; its index, or 0 when there is none. */
export function nearestValue(heights: readonly (number | null)[], y: number): number {
  let best = 0
  let distance = Number.POSITIVE_INFINITY
  for (const [index, height] of heights.entries()) {
    if (height === null || Math.abs(height - y) >= distance) continue
    best = index
    distance = Math.abs(height - y)
  }
  return best
}
