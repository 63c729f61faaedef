/** Labels, colours and URLs of orders. */
import type { Text } from '#client/base/use-text.ts'
import { type Tone, toneOf } from '#client/ui/value/StatusTag.tsx'
import { isOrderStatus, type OrderStatus, orderStatusName } from '#shared/orders/order-statuses.ts'
import type { Penalty } from '#shared/repayments/overdue-fine.ts'

const STATUS_TONES = {
  10: 'info',
  20: 'good',
  21: 'bad',
  22: 'info',
  23: 'bad',
  26: 'good',
  27: 'bad',
  29: 'info',
  30: 'neutral',
  31: 'bad',
  40: 'good',
  41: 'good',
  43: 'info',
  50: 'warn',
  70: 'neutral',
  80: 'neutral',
  90: 'bad',
  100: 'neutral',
  110: 'neutral',
} as const satisfies Record<OrderStatus, Tone>

const CLOSE_TONES: Record<string, Tone> = {
  notClosed: 'neutral',
  repaidClosed: 'good',
  extensionClosed: 'info',
  writeOffClosed: 'bad',
}
const TAG_TONES: Record<string, Tone> = { firstLoan: 'info', reLoan: 'good', extension: 'warn' }
const PLAN_TONES: Record<string, Tone> = {
  unpaid: 'neutral',
  processing: 'info',
  partlyPaid: 'info',
  paid: 'good',
  overdue: 'warn',
  writtenOff: 'bad',
  rolledOver: 'neutral',
  dropped: 'neutral',
}
const PAY_TONES: Record<string, Tone> = { inProgress: 'info', success: 'good', fail: 'bad' }
const RBI_TONES: Record<string, Tone> = {
  standard: 'good',
  sma0: 'warn',
  sma1: 'warn',
  sma2: 'warn',
  npa: 'bad',
}

export const statusTone = toneOf(STATUS_TONES)
export const closeTone = toneOf(CLOSE_TONES)
export const tagTone = toneOf(TAG_TONES)
export const planTone = toneOf(PLAN_TONES)
export const payTone = toneOf(PAY_TONES)
export const rbiTone = toneOf(RBI_TONES)

/** i18n key of a status; undefined for a number unknown to this build. */
export function orderStatusKey(status: number): string {
  return isOrderStatus(status)
    ? `orders:status.${orderStatusName(status)}`
    : 'orders:status.unknown'
}

export function statusWord(status: number, t: Text): string {
  return t(orderStatusKey(status), { code: status })
}

/** The label of a code from a closed set; the code itself when it has no label. */
export function codeWord(set: string, code: string | number, t: Text): string {
  return t(`orders:${set}.${code}`, { defaultValue: String(code) })
}

/** The daily fine, one line per range of overdue days. */
export function penaltyLines(penalty: Penalty, t: Text): string[] {
  return penalty.map(({ dayFrom, dayTo, rate, capRatio }) => {
    const text =
      dayTo !== null
        ? t('orders:terms.fineRange', { from: dayFrom, to: dayTo, rate: rateText(rate) })
        : dayFrom > 1
          ? t('orders:terms.fineFrom', { from: dayFrom, rate: rateText(rate) })
          : rateText(rate)
    return capRatio === null ? text : t('orders:terms.fineCap', { text, cap: rateText(capRatio) })
  })
}

/** Basis points as per cent: 250 → `2.5 %`. */
export function rateText(points: number): string {
  const [whole, part] = [
    Math.floor(points / 100),
    String(points % 100)
      .padStart(2, '0')
      .replace(/0+$/, ''),
  ]
  return `${whole}${part ? `.${part}` : ''} %`
}
