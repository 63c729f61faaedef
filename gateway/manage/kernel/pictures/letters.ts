/**
 * Letters as strokes. A server may have no font installed; the renderer then drops the text without an
 * error, and the watermark would name nobody. Capitals reach from 0 to the baseline at 7, the
 * x-height is at 2.4, descenders end at 9.
 */

type Letter = readonly [width: number, path: string]

const BOWL = 'C0 3.2.6 2.4 1.6 2.4S3.2 3.3 3.2 4.7S2.6 7 1.6 7S0 6.2 0 4.7'
const BOWL_LEFT = 'M3.2 4.7C3.2 3.2 2.6 2.4 1.6 2.4S0 3.3 0 4.7S.6 7 1.6 7S3.2 6.2 3.2 4.7'

const LETTERS: Readonly<Record<string, Letter>> = {
  A: [4, 'M0 7L2 0L4 7M.8 4.6h2.4'],
  B: [3.7, 'M0 0V7H1.9A1.8 1.8 0 0 0 1.9 3.4H0M0 0H1.7A1.7 1.7 0 0 1 1.7 3.4'],
  C: [4.2, 'M4.2 1.5C3.7.5 3 0 2.2 0C.8 0 0 1.4 0 3.5S.8 7 2.2 7C3 7 3.7 6.5 4.2 5.5'],
  D: [4.1, 'M0 0V7H1.6C3.3 7 4.1 5.6 4.1 3.5S3.3 0 1.6 0z'],
  E: [3.5, 'M3.5 0H0V7H3.5M0 3.4H3'],
  F: [3.4, 'M3.4 0H0V7M0 3.4H2.9'],
  G: [4.2, 'M4.2 1.5C3.7.5 3 0 2.2 0C.8 0 0 1.4 0 3.5S.8 7 2.2 7C3.4 7 4.2 6.2 4.2 5V3.8H2.4'],
  H: [4, 'M0 0V7M4 0V7M0 3.4H4'],
  I: [0, 'M0 0V7'],
  J: [3, 'M3 0V5C3 6.3 2.4 7 1.5 7S0 6.3 0 5.2'],
  K: [4, 'M0 0V7M4 0L0 4.2M1.5 2.7L4 7'],
  L: [3.4, 'M0 0V7H3.4'],
  M: [5, 'M0 7V0L2.5 4.5L5 0V7'],
  N: [4, 'M0 7V0L4 7V0'],
  O: [4.6, 'M2.3 0C.8 0 0 1.4 0 3.5S.8 7 2.3 7S4.6 5.6 4.6 3.5S3.8 0 2.3 0z'],
  P: [3.9, 'M0 7V0H2A1.9 1.9 0 0 1 2 3.8H0'],
  Q: [4.6, 'M2.3 0C.8 0 0 1.4 0 3.5S.8 7 2.3 7S4.6 5.6 4.6 3.5S3.8 0 2.3 0zM2.8 5.2L4.6 7.5'],
  R: [3.9, 'M0 7V0H2A1.9 1.9 0 0 1 2 3.8H0M1.9 3.8L3.9 7'],
  S: [
    3.8,
    'M3.7 1.3C3.3.4 2.6 0 1.9 0C.8 0 .1.7.1 1.7C.1 2.8 1 3.1 1.9 3.4C2.9 3.7 3.8 4.1 3.8 5.3C3.8 6.3 3 7 1.9 7C1 7 .3 6.5 0 5.6',
  ],
  T: [4.4, 'M0 0H4.4M2.2 0V7'],
  U: [4, 'M0 0V4.6C0 6.2.8 7 2 7S4 6.2 4 4.6V0'],
  V: [4, 'M0 0L2 7L4 0'],
  W: [6, 'M0 0L1.5 7L3 1.5L4.5 7L6 0'],
  X: [4, 'M0 0L4 7M4 0L0 7'],
  Y: [4, 'M0 0L2 3.4V7M4 0L2 3.4'],
  Z: [4, 'M0 0H4L0 7H4'],
  a: [3.2, `M3.2 2.4V7${BOWL_LEFT}`],
  b: [3.2, `M0 0V7M0 4.7${BOWL}`],
  c: [2.9, 'M2.9 3.3C2.6 2.7 2.2 2.4 1.6 2.4C.6 2.4 0 3.3 0 4.7S.6 7 1.6 7C2.2 7 2.6 6.7 2.9 6.1'],
  d: [3.2, `M3.2 0V7${BOWL_LEFT}`],
  e: [
    3.2,
    'M0 4.6H3.2C3.2 3.2 2.6 2.4 1.6 2.4C.6 2.4 0 3.3 0 4.7S.6 7 1.7 7C2.3 7 2.8 6.7 3.1 6.1',
  ],
  f: [2.2, 'M2.2.1C1.2-.2.8.4.8 1.3V7M0 2.4H2'],
  g: [3.2, `M3.2 2.4V7.2C3.2 8.4 2.6 9 1.6 9C.9 9 .4 8.7.1 8.2${BOWL_LEFT}`],
  h: [3, 'M0 0V7M0 4.3C.1 3.1.8 2.4 1.7 2.4C2.6 2.4 3 3 3 4.1V7'],
  i: [0, 'M0 2.4V7M0 .4V.5'],
  j: [1, 'M1 2.4V7.6C1 8.6.6 9.1-.2 9M1 .4V.5'],
  k: [2.9, 'M0 0V7M2.8 2.4L0 5.2M1.1 4.2L2.9 7'],
  l: [0, 'M0 0V7'],
  m: [
    5,
    'M0 2.4V7M0 4.1C.1 3 .6 2.4 1.4 2.4C2.2 2.4 2.5 3 2.5 4.1V7M2.5 4.1C2.6 3 3.1 2.4 3.9 2.4C4.7 2.4 5 3 5 4.1V7',
  ],
  n: [3, 'M0 2.4V7M0 4.3C.1 3.1.8 2.4 1.7 2.4C2.6 2.4 3 3 3 4.1V7'],
  o: [3.2, 'M1.6 2.4C.6 2.4 0 3.3 0 4.7S.6 7 1.6 7S3.2 6.1 3.2 4.7S2.6 2.4 1.6 2.4z'],
  p: [3.2, `M0 2.4V9M0 4.7${BOWL}`],
  q: [3.2, `M3.2 2.4V9${BOWL_LEFT}`],
  r: [2, 'M0 2.4V7M0 4.3C.1 3 .9 2.3 2 2.5'],
  s: [
    2.7,
    'M2.6 3.2C2.3 2.6 1.9 2.4 1.4 2.4C.6 2.4.1 2.9.1 3.5C.1 4.3.7 4.5 1.4 4.7C2.1 4.9 2.7 5.1 2.7 5.9C2.7 6.6 2.1 7 1.4 7C.7 7 .2 6.7 0 6.1',
  ],
  t: [2.1, 'M.8.8V5.8C.8 6.7 1.2 7.1 2.1 6.9M0 2.4H2'],
  u: [3, 'M3 2.4V7M3 5.1C2.9 6.3 2.2 7 1.3 7C.4 7 0 6.4 0 5.3V2.4'],
  v: [3, 'M0 2.4L1.5 7L3 2.4'],
  w: [4.6, 'M0 2.4L1.1 7L2.3 3.2L3.5 7L4.6 2.4'],
  x: [2.9, 'M0 2.4L2.9 7M2.9 2.4L0 7'],
  y: [3, 'M0 2.4L1.5 7M3 2.4L1.2 7.8C.9 8.7.6 9.1-.1 9'],
  z: [2.8, 'M0 2.4H2.8L0 7H2.8'],
  0: [3.8, 'M1.9 0C.7 0 0 1.3 0 3.5S.7 7 1.9 7S3.8 5.7 3.8 3.5S3.1 0 1.9 0z'],
  1: [3.8, 'M.8 1.4L2.3 0V7'],
  2: [3.8, 'M.1 1.7C.2.6.9 0 1.9 0C3 0 3.7.7 3.7 1.8C3.7 3.2 2.6 4 0 7H3.8'],
  3: [
    3.8,
    'M.2 1.2C.5.4 1.1 0 1.9 0C2.9 0 3.6.7 3.6 1.7C3.6 2.7 2.9 3.3 1.5 3.3C3 3.3 3.8 4 3.8 5.1C3.8 6.3 3 7 1.9 7C.9 7 .3 6.5 0 5.6',
  ],
  4: [3.9, 'M3 7V0L0 5H3.9'],
  5: [
    3.8,
    'M3.5 0H.6L.3 3.2C.8 2.7 1.3 2.5 1.9 2.5C3.1 2.5 3.8 3.4 3.8 4.7C3.8 6.1 3 7 1.8 7C.9 7 .3 6.5 0 5.7',
  ],
  6: [
    3.8,
    'M3.4.9C3 .3 2.6 0 2 0C.7 0 0 1.5 0 4C0 6 .7 7 1.9 7C3.1 7 3.8 6.1 3.8 4.9S3.1 2.8 1.9 2.8C.9 2.8.1 3.5 0 4.6',
  ],
  7: [3.8, 'M0 0H3.8L1.4 7'],
  8: [
    3.8,
    'M1.9 3.3C.8 3.3.2 2.6.2 1.6S.9 0 1.9 0S3.6.6 3.6 1.6S3 3.3 1.9 3.3C.7 3.3 0 4.1 0 5.1S.7 7 1.9 7S3.8 6.1 3.8 5.1S3.1 3.3 1.9 3.3z',
  ],
  9: [
    3.8,
    'M.4 6.1C.8 6.7 1.2 7 1.8 7C3.1 7 3.8 5.5 3.8 3C3.8 1 3.1 0 1.9 0C.7 0 0 .9 0 2.1S.7 4.2 1.9 4.2C2.9 4.2 3.7 3.5 3.8 2.4',
  ],
  ' ': [1.4, ''],
  '-': [2, 'M0 4.2H2'],
  '.': [0, 'M0 6.8V6.9'],
  ',': [0.4, 'M.4 6.7L0 8'],
  ':': [0, 'M0 3.2V3.3M0 6.8V6.9'],
  '/': [2.4, 'M2.4 0L0 7.6'],
  _: [3.4, 'M0 7.8H3.4'],
  "'": [0, 'M0 0V1.6'],
  '(': [1.2, 'M1.2-.4C.3 1 0 2.2 0 3.5S.3 6.4 1.2 7.8'],
  ')': [1.2, 'M0-.4C.9 1 1.2 2.2 1.2 3.5S.9 6.4 0 7.8'],
  '%': [
    4.6,
    'M4.1 0L.5 7M.9 0C.3 0 0 .6 0 1.4S.3 2.8.9 2.8S1.8 2.2 1.8 1.4S1.5 0 .9 0zM3.7 4.2C3.1 4.2 2.8 4.8 2.8 5.6S3.1 7 3.7 7S4.6 6.4 4.6 5.6S4.3 4.2 3.7 4.2z',
  ],
  '*': [3, 'M1.5 1V5M0 2L3 4M3 2L0 4'],
  '₹': [3.7, 'M0 0H3.7M0 1.9H3.7M0 0H1C2.6 0 3 1 3 1.9S2.5 3.8 1 3.8H.2L3.2 7'],
}
/** For characters without a glyph here. */
const BOX: Letter = [3.4, 'M0 0H3.4V7H0z']

const GAP = 1.6
/** Height of a capital as a share of the font size. */
const CAPITAL = 0.72

export function hasLetter(letter: string): boolean {
  return LETTERS[letter] !== undefined
}

export interface Written {
  x: number
  /** Baseline. */
  y: number
  /** Font size, in user units. */
  size: number
  fill: string
  opacity?: number
  bold?: boolean
  from?: 'start' | 'middle' | 'end'
}

/** Width of a text in user units. */
export function widthOf(text: string, size: number): number {
  return (stepsOf(text).end * size * CAPITAL) / 7
}

/** @returns SVG paths that need no font */
export function written(
  text: string,
  { x, y, size, fill, opacity = 1, bold = false, from = 'start' }: Written,
): string {
  const scale = (size * CAPITAL) / 7
  const { placed, end } = stepsOf(text)
  const begin = x - (from === 'start' ? 0 : from === 'end' ? end : end / 2) * scale
  const paths = placed
    .map(([at, path]) => `<path transform="translate(${round(at)})" d="${path}"/>`)
    .join('')
  // one group is one layer, so strokes are not darker where they cross
  return `<g transform="translate(${round(begin)} ${round(y - 7 * scale)}) scale(${round(scale)})" fill="none"
    stroke="${fill}" stroke-width="${bold ? 1.3 : 0.9}" stroke-linecap="round" stroke-linejoin="round" opacity="${opacity}">${paths}</g>`
}

function stepsOf(text: string): { placed: (readonly [at: number, path: string])[]; end: number } {
  const placed: (readonly [number, string])[] = []
  let at = 0
  for (const letter of text) {
    const [width, path] = LETTERS[letter] ?? BOX
    if (path !== '') placed.push([at, path])
    at += width + GAP
  }
  return { placed, end: Math.max(0, at - GAP) }
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
