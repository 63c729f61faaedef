/**
 * The ref of a popover's content: its first control has the focus, else the content itself if it
 * can (`tabIndex`). A frame later, because Blueprint only now notes where the focus came from and
 * returns to.
 */
export function focusOpened(content: HTMLElement | null): void {
  requestAnimationFrame(() =>
    (
      content?.querySelector<HTMLElement>(':is(input, select, button):not(:disabled)') ?? content
    )?.focus(),
  )
}
