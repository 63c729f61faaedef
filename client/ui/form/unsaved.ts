/**
 * Registry of forms with unsaved input; the router and the tab bar ask before they leave, and so
 * does the browser.
 */
const dirty = new Set<symbol>()

/** @returns call it when the input is saved or dropped */
export function markUnsaved(): () => void {
  const mark = Symbol('unsaved')
  if (!dirty.size) window.addEventListener('beforeunload', warn)
  dirty.add(mark)
  return () => {
    dirty.delete(mark)
    if (!dirty.size) window.removeEventListener('beforeunload', warn)
  }
}

export function hasUnsaved(): boolean {
  return dirty.size > 0
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
