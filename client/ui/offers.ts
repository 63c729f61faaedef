/**
 * What the parts of the kit that are on the screen can do: keys, which the list of `?` shows, and actions, which the palette offers
 * by name. A part offers while it is mounted and shown; the shell asks when somebody looks. Buttons need not: the palette reads them.
 */
import { useEffect, useEffectEvent } from 'react'

export interface OfferedKey {
  /** tinykeys syntax, as printed. */
  code: string
  labelKey: `ui:keys.${string}`
}

export interface OfferedAction {
  id: string
  /** In the language of the user. */
  text: string
  /** What it is about, e.g. the row. */
  note?: string
  /** Key that does the same. */
  code?: string
  /** Why it cannot be done now. */
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

/** Each key once: two lists of a screen have the same. */
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
