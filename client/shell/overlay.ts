import type { Shortcut } from './shortcuts.ts'

/** An open dialog, menu or popover; one that is closing, tooltips and toasts lie over the page without taking its keys. */
export function hasOverlay(): boolean {
  return (
    document.querySelector(
      '.bp6-portal :is(.bp6-overlay-content, .bp6-popover):not(.bp6-tooltip, .bp6-toast, .bp6-overlay-exit, .bp6-drawer-exit, .bp6-popover-exit, .bp6-popover-exit .bp6-popover, .bp6-popover-transition-container:has(.bp6-tooltip))',
    ) !== null
  )
}

/** The shortcut rests while something lies over the page. */
export function unlessOverlay(shortcut: Shortcut): Shortcut {
  return { ...shortcut, when: () => !hasOverlay() && (shortcut.when?.() ?? true) }
}
