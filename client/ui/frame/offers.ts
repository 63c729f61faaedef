/**
 * What the visible parts of the kit can do: shortcuts, shown in the list of `?`, and actions, which
 * the palette lists by name. A part registers while it is mounted and shown; the shell reads the
 * registry on demand. Buttons do not register: the palette reads them from the page.
 */
import { useEffect, useEffectEvent } from 'react'

export interface OfferedKey {
  /** tinykeys syntax, as printed. */
  code: string
  labelKey: `ui:keys.${string}`
}

export interface OfferedAction {
  id: string
  /** In the user's language. */
  text: string
  /** The object of the action, e.g. the row. */
  note?: string
  /** Shortcut with the same effect. */
  code?: string
  /** Why it is disabled now. */
  disabledReason?: string | null
  run: () => void
}

interface Offer {
  keys: readonly OfferedKey[]
  actions: () => readonly OfferedAction[]
}

const offers = new Set<Offer>()

export function useOffer(
  keys: readonly OfferedKey[],
  actions: () => readonly OfferedAction[],
): void {
  const read = useEffectEvent(actions)
  const shape = JSON.stringify(keys)
  useEffect(() => {
    const offer: Offer = { keys: JSON.parse(shape) as OfferedKey[], actions: () => read() }
    offers.add(offer)
    return () => void offers.delete(offer)
  }, [shape])
}

/** Each key once: two lists on a screen have the same keys. */
export function offeredKeys(): OfferedKey[] {
  return [
    ...new Map(
      [...offers].flatMap(({ keys }) => keys).map((key) => [`${key.code} ${key.labelKey}`, key]),
    ).values(),
  ]
}

export function offeredActions(): OfferedAction[] {
  return [...offers].flatMap(({ actions }) => actions())
}
