import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width of an element in whole pixels, followed as it changes; 0 before it is laid out. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry?.contentRect.width ?? 0)),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return width
}
