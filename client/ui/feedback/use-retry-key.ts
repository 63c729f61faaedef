import { type OfferedKey, useOffer } from '#client/ui/frame/offers.ts'

const NO_KEYS: readonly OfferedKey[] = []
const RETRY_KEY: readonly OfferedKey[] = [{ code: 'KeyR', labelKey: 'ui:keys.retry' }]

/**
 * Lists the key of a button that tries again, while there is one: the same key may be another's where
 * nothing has failed. The palette finds the button by name.
 */
export function useRetryKey(isOffered: boolean): void {
  useOffer(isOffered ? RETRY_KEY : NO_KEYS, () => [])
}
