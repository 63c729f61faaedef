/**
 * Single-key shortcuts of the kit by physical key, so that they work on a Thai or Spanish layout:
 * the element of a shortcut has `data-shortcut` with the key code (`Slash`, `Period`, `KeyR`). The
 * shell passes its keydown events to `pressShortcut`; `<html data-single-keys="off">` disables them
 * (WCAG 2.1.4).
 */
export function pressShortcut(event: KeyboardEvent): boolean {
  if (
    event.defaultPrevented ||
    event.isComposing ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.shiftKey
  )
    return false
  if (document.documentElement.dataset.singleKeys === 'off' || isTyping(event.target)) return false
  if (!press(event.code)) return false
  event.preventDefault()
  return true
}

/** Clicks or focuses the element of this key. */
export function press(code: string): boolean {
  // The last one wins: dialogs and panels come after the page they cover.
  const target = [
    ...document.querySelectorAll<HTMLElement>(`[data-shortcut="${CSS.escape(code)}"]`),
  ].findLast(
    (element) => element.offsetParent !== null && element.getAttribute('aria-disabled') !== 'true',
  )
  if (!target) return false
  if (target.matches('input, textarea, select')) target.focus()
  else target.click()
  return true
}

/** Whether the target is a field in which the key types text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [role=combobox]',
      ))
  )
}
