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
 * Whether keys are meant for the part: no dialog, menu or popover is open above it. A closing one,
 * tooltips and toasts cover the page but do not take its keys.
 */
export function isTopmost(part: Element | null): boolean {
  const top = [
    ...document.querySelectorAll(
      `.bp6-portal :is(.bp6-overlay-content, .bp6-popover):not(${CLOSING_OR_PASSIVE.join(', ')})`,
    ),
  ].at(-1)
  return part !== null && top?.contains(part) !== false
}

/** Something covers the page. */
export function hasOverlay(): boolean {
  return !isTopmost(document.body)
}

/** A dialog or drawer covers the page; menus and popovers do not count. */
export function hasDialog(): boolean {
  return document.querySelector('.bp6-portal :is(.bp6-dialog, .bp6-drawer)') !== null
}
