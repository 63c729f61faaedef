/**
 * Focuses the first of these fields that the form shows now: a control by its name; a group, or a
 * button that stands for a field, by `data-field`.
 */
export function focusField(form: ParentNode | null, ...names: readonly string[]): void {
  for (const name of names) {
    const control = form?.querySelector<HTMLElement>(
      `[data-field="${name}"] [tabindex="0"], button[data-field="${name}"], [name="${name}"]`,
    )
    if (control) return control.focus()
  }
}

/** Focuses what is wrong in a field of several controls, else the control that Tab reaches first. */
export function focusWithin(field: HTMLElement | null): void {
  if (field === null) return
  const controls = [
    field,
    ...field.querySelectorAll<HTMLElement>('input, select, textarea, button, [tabindex]'),
  ].filter((control) => control.tabIndex >= 0 && !control.matches(':disabled'))
  const control = controls.find(({ ariaInvalid }) => ariaInvalid === 'true') ?? controls[0]
  control?.focus()
}

/**
 * Focuses the first fault as a reader meets them; the form library would take the fields in the
 * order in which they were loaded.
 */
export function focusFault(form: ParentNode | null): void {
  focusWithin(form?.querySelector<HTMLElement>('.field.is-wrong, [aria-invalid="true"]') ?? null)
}
