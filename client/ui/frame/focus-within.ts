/** Focuses what is wrong in a field or a popover, else the control that Tab reaches first. */
export function focusWithin(part: HTMLElement | null): void {
  if (part === null) return
  const controls = [part, ...part.querySelectorAll<HTMLElement>('*')].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled'),
  )
  const control = controls.find(({ ariaInvalid }) => ariaInvalid === 'true') ?? controls[0]
  control?.focus()
}
