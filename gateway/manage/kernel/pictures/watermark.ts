/**
 * A picture as it is delivered: re-encoded, with a repeated diagonal mark of viewer and time in its
 * pixels, so that screenshots and saved copies name who made them.
 */
import type { OverlayOptions } from 'sharp'
import { istClock, istDay } from '#shared/kernel/time.ts'
import { coverOf } from './cover.ts'
import { drawn } from './drawn-sample.ts'
import { READING, inTurn, library } from './library.ts'
import { widthOf, written } from './letters.ts'

/** A smaller picture is enlarged to this, so that the mark is legible. */
const LEAST_SIDE = 960
const SIZE = 20
const GAP = 40
/** In radians; rising to the right. */
const SLANT = 0.49
/** Covering twice gives the same pixels. */
const COVER = '#111'

export interface Marked {
  bytes: Buffer
  /** Drawn for the demo: an SVG from the demo data. */
  isDrawn: boolean
  account: string
  /** When it was opened. */
  at: string
  /**
   * Covers the area of an Aadhaar number, also in pictures stored before uploads were covered.
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
 * One mark in black and one in white, so that it is visible on light and on dark; each continues over
 * the edges of its tile. The tile is rendered once and repeated by the library: an SVG pattern over a
 * large picture took a second.
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
