/**
 * A picture as it is stored: decoded and re-encoded, so that only its pixels remain. Location, device
 * and other metadata, and data appended to the file, are dropped.
 */
import { coverOf } from './cover.ts'
import { READING, inTurn, library, MOST_PIXELS } from './library.ts'

export type PictureKind = 'jpg' | 'png'

/** Only `cleanPicture` makes it. */
export interface CleanPicture {
  bytes: Buffer
  kind: PictureKind
}

/** Longest side in pixels: more than a desk shows, and enough for a phone's screenshot. */
const LONGEST_SIDE = 3_200
const SECONDS = 10
const COVER = { 3: Buffer.from([0x11, 0x11, 0x11]), 4: Buffer.from([0x11, 0x11, 0x11, 0xff]) }

export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
  readonly code: 'unreadable' | 'tooManyPixels'
  constructor(code: PictureRefused['code']) {
    super(code)
    this.code = code
  }
}

/**
 * @param hidesNumber whether the area of an Aadhaar number is covered in the pixels
 * @param side longest side in pixels; a larger picture is reduced to it
 * @throws PictureRefused for a damaged file, another format, or more than MOST_PIXELS
 */
export function cleanPicture(
  bytes: Buffer,
  kind: PictureKind,
  {
    hidesNumber = false,
    side = LONGEST_SIDE,
  }: { hidesNumber?: boolean; side?: number | undefined } = {},
): Promise<CleanPicture> {
  return inTurn(async () => {
    const sharp = await library()
    // reads only the header: nothing is decoded before its size is known
    const head =
      bytes.length === 0
        ? null
        : await sharp(bytes, { ...READING, limitInputPixels: false })
            .metadata()
            .catch(() => null)
    if (head?.format !== (kind === 'jpg' ? 'jpeg' : 'png')) throw new PictureRefused('unreadable')
    if (head.width * head.height > MOST_PIXELS) throw new PictureRefused('tooManyPixels')
    const { data, info } = await sharp(bytes, READING)
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({
        width: side,
        height: side,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw new PictureRefused('unreadable')
      })
    const { width, height, channels } = info
    if (hidesNumber) {
      const { top, bottom } = coverOf(info)
      data.fill(COVER[channels === 4 ? 4 : 3], top * width * channels, bottom * width * channels)
    }
    const painted = sharp(data, { raw: { width, height, channels } })
    return {
      bytes: await (kind === 'jpg' ? painted.jpeg({ quality: 88 }) : painted.png()).toBuffer(),
      kind,
    }
  })
}
