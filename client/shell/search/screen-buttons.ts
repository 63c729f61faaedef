/**
 * The buttons of the shown screen for the palette, read from the page so that no list is needed.
 */
export interface ScreenButton {
  text: string
  /** What it acts on, where its bar shows it: the selected rows. */
  note: string | null
  /** Physical code of its shortcut, if any. */
  code: string | null
  disabledReason: string | null
  press: () => void
}

/** Excludes tabs and values, and buttons inside rows: those are offered for the focused row. */
const BUTTONS =
  '.view button:not([role=tab], [role=radio], [role=switch], [role=combobox], [tabindex="-1"], .ag-root-wrapper *)'

export function screenButtons(root: ParentNode = document): ScreenButton[] {
  const found = new Map<string, ScreenButton>()
  for (const button of root.querySelectorAll<HTMLButtonElement>(BUTTONS)) {
    const text = nameOf(button)
    if (text === '' || found.has(text) || !button.checkVisibility()) continue
    found.set(text, {
      text,
      note: button.closest<HTMLElement>('[data-note]')?.dataset.note ?? null,
      code: button.dataset.shortcut ?? null,
      disabledReason: refusalOf(button),
      press: () => button.click(),
    })
  }
  return [...found.values()]
}

/** The visible text: without printed keys and text for screen readers only. */
function nameOf(button: HTMLElement): string {
  const label = button.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const copy = button.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"], .visually-hidden'))
    hidden.remove()
  return (copy.textContent || button.title).replace(/\s+/g, ' ').trim()
}

/** Why it is disabled, as on the button; empty without a reason. */
function refusalOf(button: HTMLButtonElement): string | null {
  if (!button.disabled && button.getAttribute('aria-disabled') !== 'true') return null
  const described = button.getAttribute('aria-describedby')
  return (
    (described !== null && button.ownerDocument.getElementById(described)?.textContent?.trim()) ||
    button.title
  )
}
