/** The picture as it leaves: its bytes inside an SVG under a repeated diagonal mark of who looks and when, so that a screenshot names its maker. */
import { istClock, istDay } from '#shared/kernel/time.ts'

const WIDTH = 960
const HEIGHT = 640

export interface Marked {
  mime: string
  base64: string
  account: string
  /** Instant of the opening. */
  at: string
  /** Covers the place where an Aadhaar card carries its number. */
  hidesNumber: boolean
}

export function watermarked({ mime, base64, account, at, hidesNumber }: Marked): Buffer {
  const mark = escaped(`${account} ${istDay(at)} ${istClock(at)} IST`)
  const cover = hidesNumber ? `<rect x="0" y="${HEIGHT * 0.7}" width="${WIDTH}" height="${HEIGHT * 0.2}" fill="#111"/>` : ''
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
      `<defs><pattern id="mark" width="330" height="120" patternUnits="userSpaceOnUse" patternTransform="rotate(-28)">` +
      `<text x="8" y="40" font-family="sans-serif" font-size="20" fill="#000" fill-opacity="0.28">${mark}</text>` +
      `<text x="9" y="101" font-family="sans-serif" font-size="20" fill="#fff" fill-opacity="0.4">${mark}</text></pattern></defs>` +
      `<rect width="${WIDTH}" height="${HEIGHT}" fill="#eee"/>` +
      `<image width="${WIDTH}" height="${HEIGHT}" preserveAspectRatio="xMidYMid meet" href="data:${mime};base64,${base64}"/>${cover}` +
      `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#mark)"/></svg>`,
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
