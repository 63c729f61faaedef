/** Which dialog of the own account is open. The account menu sets it, the frame shows it. */
import { createStore } from '#client/base/store.ts'

export type AccountDialog = 'avatar' | 'password' | 'twoFactor' | 'sessions'

export const accountDialog = createStore<AccountDialog | null>(null)

export function closeAccountDialog(): void {
  accountDialog.set(null)
}
