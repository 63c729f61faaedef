/** The picture as it leaves: its bytes inside an SVG under a repeated diagonal mark of who looks and when, so that a screenshot names its maker. */
import { istClock, istDay } from '#shared/kernel/time.ts'

/** Lies, as a card does. */
const CARD = { width: 960, height: 640 }

export interface Marked {
  mime: string
  base64: string
  account: string
  /** Instant of the opening. */
  at: string
  /** Covers the place where an Aadhaar card carries its number. */
  hidesNumber: boolean
  sheet?: { width: number; height: number }
}

export function watermarked({ mime, base64, account, at, hidesNumber, sheet: { width, height } = CARD }: Marked): Buffer {
  const mark = escaped(`${account} ${istDay(at)} ${istClock(at)} IST`)
  const cover = hidesNumber ? `<rect x="0" y="${height * 0.7}" width="${width}" height="${height * 0.2}" fill="#111"/>` : ''
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
      `<defs><pattern id="mark" width="330" height="120" patternUnits="userSpaceOnUse" patternTransform="rotate(-28)">` +
      `<text x="8" y="40" font-family="sans-serif" font-size="20" fill="#000" fill-opacity="0.28">${mark}</text>` +
      `<text x="9" y="101" font-family="sans-serif" font-size="20" fill="#fff" fill-opacity="0.4">${mark}</text></pattern></defs>` +
      `<rect width="${width}" height="${height}" fill="#eee"/>` +
      `<image width="${width}" height="${height}" preserveAspectRatio="xMidYMid meet" href="data:${mime};base64,${base64}"/>${cover}` +
      `<rect width="${width}" height="${height}" fill="url(#mark)"/></svg>`,
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
