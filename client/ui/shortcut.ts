/**
 * Single-key shortcuts of the kit by place, not by letter, so that they work on a Thai or Spanish layout: the element that
 * answers a key carries `data-shortcut` with the physical code (`Slash`, `Period`, `KeyR`). The shell hands its keydown
 * events to `pressShortcut`; `<html data-single-keys="off">` switches them off (WCAG 2.1.4).
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

/** Presses or focuses what answers this key now. */
export function press(code: string): boolean {
  // The last one wins: dialogs and panels stand after the page they cover.
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

/** Whether a key belongs to what the person is typing into. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [role=combobox]',
      ))
  )
}
