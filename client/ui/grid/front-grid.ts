/**
 * The list of the page among the lists shown: the first one, because others are in panels and tabs
 * below it. J and K move through its rows, M opens the menu of one or goes to the actions of the
 * selected ones, an arrow enters them, and its filter leaves to them.
 */
import { type RefObject, useEffect, useRef } from 'react'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import type { GridHandle } from './grid-state.ts'

type Rows = Pick<GridHandle<unknown>, 'enter' | 'focusRow' | 'move' | 'openMenu'>

/** By their elements; only shown ones, because hidden views lose their effects. */
const shown = new Map<HTMLElement, () => void>()

export function useFrontGrid(
  body: RefObject<HTMLElement | null>,
  rows: Rows,
  { hasMenu, hasBulk }: { hasMenu: boolean; hasBulk: boolean },
): void {
  useEffect(() => {
    const element = body.current
    if (element === null) return
    shown.set(element, () => rows.enter())
    return () => void shown.delete(element)
  }, [body, rows])
  useReturn(body, rows)
  const isFront = (): boolean => body.current !== null && frontOf() === body.current
  // inside of anything else the arrow is that element's own
  const isUntouched = (): boolean => isFront() && document.activeElement === document.body
  useShortcuts('screen', [
    {
      id: 'grid-down',
      code: 'KeyJ',
      labelKey: 'ui:keys.nextRow',
      run: () => rows.move(1),
      when: isFront,
    },
    {
      id: 'grid-up',
      code: 'KeyK',
      labelKey: 'ui:keys.previousRow',
      run: () => rows.move(-1),
      when: isFront,
    },
    ...(hasMenu || hasBulk
      ? [
          {
            id: 'grid-menu',
            code: 'KeyM',
            labelKey: hasBulk ? 'ui:keys.rowsMenu' : 'ui:keys.rowMenu',
            run: () => {
              const bulk = body.current?.closest('.grid')?.querySelector('.grid-bulk button')
              if (bulk instanceof HTMLElement) bulk.focus()
              else rows.openMenu()
            },
            when: isFront,
          },
        ]
      : []),
    {
      id: 'grid-enter',
      code: 'ArrowDown',
      labelKey: 'ui:keys.enterRows',
      run: () => rows.move(1),
      when: isUntouched,
    },
  ])
}

/**
 * A list shown again, after the page of a row opened by keyboard, has the focus where it was left.
 * A hidden view loses its grid, so the new one gets the row.
 */
function useReturn(body: RefObject<HTMLElement | null>, { focusRow }: Rows): void {
  const left = useRef<string | null>(null)
  useEffect(() => {
    const element = body.current
    const onFocus = ({ target }: FocusEvent): void => {
      const row = target instanceof Element && target.matches(':focus-visible')
      left.current = row ? (target.closest('.ag-row')?.getAttribute('row-id') ?? null) : null
    }
    element?.addEventListener('focusin', onFocus)
    return () => element?.removeEventListener('focusin', onFocus)
  }, [body])
  useEffect(() => {
    if (left.current !== null && document.activeElement === document.body) focusRow(left.current)
  }, [focusRow])
}

/** Focuses the row of the list that had the focus last, or its first. */
export function enterRows(): void {
  const front = frontOf()
  if (front) shown.get(front)?.()
}

function frontOf(): HTMLElement | undefined {
  return [...shown.keys()]
    .filter((element) => element.offsetParent !== null)
    .toSorted((a, b) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    )[0]
}
