/**
 * Where the person was before the session expired. A button that is busy, a field that is disabled
 * and a row that is redrawn lose the focus before the dialog opens, so the last place is kept.
 */
let last: HTMLElement | null = null

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('.lapsed') && !isTrap(target)) last = target
})

/** @returns moves the focus back there */
export function placeOfFocus(): () => void {
  const place = last
  const cell = cellOf(place)
  return () => {
    const now = place?.isConnected ? place : cell === null ? null : document.querySelector(cell)
    if (now instanceof HTMLElement) now.focus({ preventScroll: true })
  }
}

/** A selector of the grid's cell around the place, which may be redrawn. */
function cellOf(place: HTMLElement | null): string | null {
  const row = place?.closest('[row-id]')?.getAttribute('row-id')
  const column = place?.closest('[col-id]')?.getAttribute('col-id')
  if (!row || !column) return null
  return `.view [row-id="${CSS.escape(row)}"] [col-id="${CSS.escape(column)}"]`
}

/** Of an overlay, which takes the focus that leaves it. */
function isTrap({ className }: HTMLElement): boolean {
  return className.includes('focus-trap')
}
