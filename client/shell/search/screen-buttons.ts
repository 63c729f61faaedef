/** The buttons of the shown screen, as the palette offers them: whatever stands there can be found by its name, without a list of names by hand. */
export interface ScreenButton {
  text: string
  /** Physical code of the key that presses it, if there is one. */
  code: string | null
  disabledReason: string | null
  press: () => void
}

/** Not what chooses among tabs and values, and nothing inside of rows: those are offered for the row in focus. */
const BUTTONS =
  '.view button:not([role=tab], [role=radio], [role=switch], [role=combobox], [tabindex="-1"], .ag-root-wrapper *)'

export function screenButtons(root: ParentNode = document): ScreenButton[] {
  const found = new Map<string, ScreenButton>()
  for (const button of root.querySelectorAll<HTMLButtonElement>(BUTTONS)) {
    const text = nameOf(button)
    if (text === '' || found.has(text) || !button.checkVisibility()) continue
    found.set(text, {
      text,
      code: button.dataset.shortcut ?? null,
      disabledReason: refusalOf(button),
      press: () => button.click(),
    })
  }
  return [...found.values()]
}

/** As it reads to the eye: without the printed keys and what is for screen readers alone. */
function nameOf(button: HTMLElement): string {
  const label = button.getAttribute('aria-label')
  if (label !== null) return label.trim()
  const copy = button.cloneNode(true) as HTMLElement
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"], .visually-hidden'))
    hidden.remove()
  return (copy.textContent || button.title).replace(/\s+/g, ' ').trim()
}

/** Why it cannot be pressed, as it says itself; empty when it does not say. */
function refusalOf(button: HTMLButtonElement): string | null {
  if (!button.disabled && button.getAttribute('aria-disabled') !== 'true') return null
  const told = button.getAttribute('aria-describedby')
  return (
    (told !== null && button.ownerDocument.getElementById(told)?.textContent?.trim()) ||
    button.title
  )
}
