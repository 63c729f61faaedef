/** Whether the next review is claimed as soon as one is decided; the person's choice on this computer. */
const KEY = 'review-auto-claim'

export function readAutoClaim(): boolean {
  return localStorage.getItem(KEY) !== 'off'
}

export function storeAutoClaim(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off')
}
