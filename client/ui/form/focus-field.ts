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
