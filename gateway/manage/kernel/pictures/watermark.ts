/**
 * A picture as it leaves: repainted, with a repeated diagonal mark of who looks and when in its
 * pixels, so that a screenshot and a saved copy name their maker.
 */
import type { OverlayOptions } from 'sharp'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { coverOf } from './cover.ts'
import { drawn } from './drawn-sample.ts'
import { READING, inTurn, library } from './library.ts'
import { widthOf, written } from './letters.ts'

/** A smaller picture is enlarged to this: on a few pixels nobody reads a name. */
const LEAST_SIDE = 960
const SIZE = 20
const GAP = 40
/** Upwards, in radians. */
const SLANT = 0.49
/** Over a cover that lies already it changes nothing. */
const COVER = '#111'

export interface Marked {
  bytes: Buffer
  /** Drawn for the demo: an SVG of our own. */
  isDrawn: boolean
  account: string
  /** Instant of the opening. */
  at: string
  /**
   * Covers the place of an Aadhaar number, also of what was stored before pictures were covered as
   * they came.
   */
  hidesNumber: boolean
}

export const MARKED_MIME = 'image/jpeg'

/** @returns a JPEG */
export function watermarked({ bytes, isDrawn, account, at, hidesNumber }: Marked): Promise<Buffer> {
  return inTurn(async () => {
    const sharp = await library()
    const source = () =>
      isDrawn ? sharp(drawn(bytes), { ...READING, density: 108 }) : sharp(bytes, READING)
    const size = await source().metadata()
    const scale = Math.max(1, LEAST_SIDE / Math.max(size.width, size.height))
    const [width, height] = [
      Math.round(size.width * scale) || 1,
      Math.round(size.height * scale) || 1,
    ]
    return source()
      .resize({ width, height, fit: 'fill' })
      .flatten({ background: '#eee' })
      .composite([
        ...(hidesNumber ? [coverOver({ width, height })] : []),
        {
          input: tileOf(
            `${account} ${istDay(at)} ${istClock(at)} IST`,
            Math.max(width, height) / LEAST_SIDE,
          ),
          tile: true,
          gravity: 'northwest',
        },
      ])
      .jpeg({ quality: 84 })
      .toBuffer()
  })
}

function coverOver({ width, height }: { width: number; height: number }): OverlayOptions {
  const { top, bottom } = coverOf({ width, height })
  return {
    input: { create: { width, height: bottom - top, channels: 3, background: COVER } },
    top,
    left: 0,
  }
}

/**
 * One mark in black and one in white, so that it stands on light and on dark; each continues over the
 * edges of its tile. A tile is painted once and laid by the library: a pattern over a large picture
 * cost it a second.
 */
function tileOf(mark: string, unit: number): Buffer {
  const long = widthOf(mark, SIZE) + GAP
  const [width, height] = [
    Math.ceil(long * Math.cos(SLANT)),
    Math.ceil(long * Math.sin(SLANT)) + GAP,
  ]
  const around = [-1, 0, 1]
    .flatMap((across) =>
      [-1, 0, 1].map((down) => `<use href="#marks" x="${across * width}" y="${down * height}"/>`),
    )
    .join('')
  const one = (x: number, y: number, fill: string, opacity: number) =>
    `<g transform="translate(${x} ${y}) rotate(${(-SLANT * 180) / Math.PI})">
      ${written(mark, { x: GAP / 2, y: 0, size: SIZE, fill, opacity })}</g>`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" 
      width="${Math.ceil(width * unit)}" height="${Math.ceil(height * unit)}" preserveAspectRatio="none">` +
      `<defs>
        <g id="marks">${one(0, height - GAP / 2, '#000', 0.34)}${one(width / 2, height - GAP / 2, '#fff', 0.5)}</g>
        </defs>${around}</svg>`,
  )
}
