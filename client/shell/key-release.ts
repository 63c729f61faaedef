/**
 * A key acts only on the element where it was pressed. Blueprint's buttons click when Enter or
 * Space is released on them, wherever it was pressed: releasing the key that opened a dialog would
 * click the button that had just received the focus and close the dialog.
 */
export function keepReleasesAtHome(): () => void {
  let pressedOn: EventTarget | null = null
  const onDown = (event: KeyboardEvent) => {
    // A repeating key acts on the element that has the focus by then.
    if (clicks(event) && !event.repeat) pressedOn = event.target
  }
  const onUp = (event: KeyboardEvent) => {
    if (clicks(event) && event.target !== pressedOn) event.stopPropagation()
  }
  window.addEventListener('keydown', onDown, true)
  window.addEventListener('keyup', onUp, true)
  return () => {
    window.removeEventListener('keydown', onDown, true)
    window.removeEventListener('keyup', onUp, true)
  }
}

function clicks({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' '
}
