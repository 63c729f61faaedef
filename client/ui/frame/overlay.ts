import type { Shortcut } from './shortcuts.ts'

const CLOSING_OR_PASSIVE = [
  '.bp6-tooltip',
  '.bp6-toast',
  '.bp6-overlay-exit',
  '.bp6-drawer-exit',
  '.bp6-popover-exit',
  '.bp6-popover-exit .bp6-popover',
  '.bp6-popover-transition-container:has(.bp6-tooltip)',
]

/**
 * An open dialog, menu or popover. A closing one, tooltips and toasts cover the page but do not
 * take its keys.
 */
export function hasOverlay(): boolean {
  return (
    document.querySelector(
      `.bp6-portal :is(.bp6-overlay-content, .bp6-popover):not(${CLOSING_OR_PASSIVE.join(', ')})`,
    ) !== null
  )
}

/** Disables the shortcut while something covers the page. */
export function unlessOverlay(shortcut: Shortcut): Shortcut {
  return { ...shortcut, when: () => !hasOverlay() && (shortcut.when?.() ?? true) }
}
