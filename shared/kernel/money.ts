/**
 * Money is whole paise. Shown in every language as ₹ with Indian grouping, so that one figure looks
 * the same on all screens.
 */

const RUPEES = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/**
 * Paise → `₹1,23,456.50`. Exact for every safe integer: rupees and paise are formatted apart, never
 * divided.
 */
export function formatPaise(paise: number | bigint): string {
  const value = BigInt(paise)
  const negative = value < 0n
  const abs = negative ? -value : value
  const rupees = RUPEES.format(abs / 100n).replace(/\.\d\d$/, '')
  return `${negative ? '-' : ''}${rupees}.${String(abs % 100n).padStart(2, '0')}`
}

/**
 * Paise → short form for tiles: `₹1.82 L`, `₹9.88 Cr`, `₹46,300`; cut to two decimals, never
 * rounded up past what was collected.
 */
export function formatPaiseShort(paise: number | bigint): string {
  const value = BigInt(paise)
  const abs = value < 0n ? -value : value
  const sign = value < 0n ? '-' : ''
  const cut = (unit: bigint, letter: string) =>
    `${sign}₹${abs / unit}.${String((abs % unit) / (unit / 100n)).padStart(2, '0')} ${letter}`
  if (abs >= 1_000_000_000n) return cut(1_000_000_000n, 'Cr')
  if (abs >= 10_000_000n) return cut(10_000_000n, 'L')
  return sign + RUPEES.format(abs / 100n).replace(/\.\d\d$/, '')
}

/**
 * Commas only where Indian or western grouping has them: `12,34` is a mistyped decimal, not 1234.
 * Each alternative reads a digit in one way only, so a long text cannot stall the pattern.
 */
const RUPEE_TEXT =
  /^(?:(?:₹|rs\.?)\s*)?(\d+|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+)(?:\.(\d{1,2}))?$/i

/**
 * A share as people read it: 1,234 basis points are "12.34 %".
 * @param basisPoints hundredths of a percent, whole
 */
export function formatBasisPoints(basisPoints: number): string {
  return `${formatHundredths(basisPoints)} %`
}

/**
 * Two decimals of a number kept in hundredths: 1,234 are "12.34".
 * @param hundredths basis points, or a mean times 100; whole
 */
export function formatHundredths(hundredths: number): string {
  return (hundredths / 100).toFixed(2)
}

/**
 * Rupee text as typed or pasted (`₹1,23,456.5`) → paise; null when it is not an amount. At most two
 * decimals.
 */
export function parseRupees(text: string): number | null {
  const m = RUPEE_TEXT.exec(text.trim())
  if (!m) return null
  const paise =
    BigInt((m[1] as string).replaceAll(',', '')) * 100n + BigInt((m[2] ?? '').padEnd(2, '0') || '0')
  return paise <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(paise) : null
}

/**
 * `amount` paise × `basisPoints` (1 % = 100), rounded half up to the paisa.
 * @throws RangeError for a negative amount or rate
 */
export function share(amount: bigint, basisPoints: bigint): bigint {
  if (amount < 0n || basisPoints < 0n)
    throw new RangeError('share takes no negative amount or rate')
  return (amount * basisPoints * 2n + 10_000n) / 20_000n
}

/**
 * Splits `total` paise into `parts` whole amounts that sum exactly to it; the first ones take the
 * odd paise.
 * @throws RangeError when parts < 1 or total < 0
 */
export function splitEvenly(total: bigint, parts: number): bigint[] {
  if (parts < 1 || !Number.isInteger(parts) || total < 0n)
    throw new RangeError('splitEvenly takes total >= 0 and a whole number of parts >= 1')
  const base = total / BigInt(parts)
  const odd = Number(total % BigInt(parts))
  return Array.from({ length: parts }, (_, i) => base + (i < odd ? 1n : 0n))
}
