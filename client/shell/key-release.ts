/**
 * A key counts where it was pressed. Blueprint's buttons click when Enter or Space is let go on them, wherever it went down: the
 * release of the key that opened a dialog pressed the button that had just got the focus, and the dialog was gone.
 */
export function keepReleasesAtHome(): () => void {
  let pressedOn: EventTarget | null = null
  const onDown = (event: KeyboardEvent) => {
    // a key that is held repeats on whatever has the focus by then
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
