/** Which dialog of one's own account is open. The account menu opens one, the frame shows it. */
import { createStore } from '#client/app/store.ts'

export type AccountDialog = 'password' | 'twoFactor' | 'sessions'

export const accountDialog = createStore<AccountDialog | null>(null)

export function closeAccountDialog(): void {
  accountDialog.set(null)
}
