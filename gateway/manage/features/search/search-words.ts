/** How a searched text is read. Pure. */

const DIGITS = 8

/**
 * Ids have a fixed width, so a prefix is a range between two ids, which uses the index in any
 * collation.
 */
export function idsOf(letters: string, wanted: string): { from: string; to: string } | null {
  const digits = wanted.startsWith(letters) ? wanted.slice(letters.length) : wanted
  if (!/^\d{1,8}$/.test(digits)) return null
  return { from: letters + digits.padEnd(DIGITS, '0'), to: letters + digits.padEnd(DIGITS, '9') }
}

/** The ten digits of an Indian mobile number as people write it: spaces, dashes, +91 or 0 first. */
export function phoneIn(text: string): string | null {
  if (!/^\s*\+?[\d\s().-]+$/.test(text)) return null
  const digits = text.replaceAll(/\D/g, '')
  const national = digits.replace(/^(?:0|91)(?=\d{10}$)/, '')
  return /^[6-9]\d{9}$/.test(national) ? national : null
}

/** Lengths of a UTR with letters: RTGS and NEFT. */
const UTR_LENGTHS = [16, 22]

/**
 * A number too long for an id and neither a phone nor a UTR: somebody stopped typing, or missed a
 * key. A masked number is one too.
 */
export function isPartNumber(text: string): boolean {
  const digits = text.replaceAll(/[\s+().-]/g, '')
  if (/^[x*]{2,}\d{2,}$/i.test(digits)) return true
  if (/^[a-z]{1,8}\d{9,}$/i.test(digits)) return !UTR_LENGTHS.includes(digits.length)
  return /^\d{9,}$/.test(digits) && phoneIn(text) === null && digits.length !== 12
}
