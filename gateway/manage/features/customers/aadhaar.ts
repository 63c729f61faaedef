/**
 * Aadhaar numbers end with a Verhoeff check digit, which detects every single wrong digit and every
 * swap of adjacent digits.
 */

const MULTIPLY = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 2, 3, 4, 0, 6, 7, 8, 9, 5],
  [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
  [3, 4, 0, 1, 2, 8, 9, 5, 6, 7],
  [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
  [5, 9, 8, 7, 6, 0, 4, 3, 2, 1],
  [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
  [7, 6, 5, 9, 8, 2, 1, 0, 4, 3],
  [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
]
const PERMUTE = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8],
]
const INVERSE = [0, 4, 3, 2, 1, 5, 6, 7, 8, 9]

/** Running check over digits read from the right; `from` is the position of the first one. */
function checksum(digits: string, from: number): number {
  let sum = 0
  // the tables are complete for digits 0 to 9 and positions mod 8
  for (let i = 0; i < digits.length; i += 1)
    sum = MULTIPLY[sum]?.[PERMUTE[(from + i) % 8]?.[Number(digits.at(-1 - i))] ?? 0] ?? 0
  return sum
}

/** The digit that makes `digits` followed by it valid. */
export function verhoeffDigit(digits: string): string {
  return String(INVERSE[checksum(digits, 1)])
}

/** 12 digits: the first 2 to 9, the last the check digit. */
export function isAadhaar(value: string): boolean {
  return /^[2-9]\d{11}$/.test(value) && checksum(value, 0) === 0
}
