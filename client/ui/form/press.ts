/**
 * A press that is under way. An error that appears when a field loses the focus moves what stands
 * below; between pressing and releasing it would take the button away, and the press would be lost.
 */
let end: Promise<void> | null = null

/** A list opened by the press may swallow its end. */
const LONGEST_MS = 600

if (typeof window !== 'undefined') window.addEventListener('pointerdown', begin, { capture: true })

function begin(): void {
  const current = new Promise<void>((resolve) => {
    const release = () => {
      for (const type of ['pointerup', 'pointercancel'])
        window.removeEventListener(type, release, { capture: true })
      clearTimeout(latest)
      if (end === current) end = null
      // the click follows the release at once
      setTimeout(resolve)
    }
    const latest = setTimeout(release, LONGEST_MS)
    for (const type of ['pointerup', 'pointercancel'])
      window.addEventListener(type, release, { capture: true })
  })
  end = current
}

/** Resolves when no press is under way. */
export async function pressEnded(): Promise<void> {
  await end
}

/** Runs it at once, or after the press that is under way. */
export function afterPress(run: () => void): void {
  if (end === null) run()
  else void end.then(run)
}
