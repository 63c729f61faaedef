/**
 * Whether the next review is claimed automatically after a decision; stored per user in this
 * browser.
 */
const KEY = 'review-auto-claim'

export function readAutoClaim(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function storeAutoClaim(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off')
}
