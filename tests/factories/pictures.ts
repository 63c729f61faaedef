/** Photos as phones send them, and what an answer reveals of one. */
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect } from 'vitest'

/** Bytes in the EXIF part of `telephonePhoto`. */
export const CAMERA = 'Camera of Asha'

/**
 * A JPEG of one colour with a white line in the place and height of a card number, and with device
 * and location in its EXIF data.
 * @param given orientation as EXIF counts it: 6 is rotated by 90 degrees
 */
export async function telephonePhoto({
  width = 1_200,
  height = 800,
  orientation = 1,
}: { width?: number; height?: number; orientation?: number } = {}): Promise<Buffer> {
  const line = await sharp({
    create: {
      width: Math.round(width * 0.6),
      height: Math.round(height * 0.08),
      channels: 3,
      background: '#fff',
    },
  })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#27a' } })
    .composite([{ input: line, left: Math.round(width * 0.2), top: Math.round(height * 0.76) }])
    .withExif({
      IFD0: { Model: CAMERA },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '18/1 31/1 0/1' },
    })
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer()
}

/** Some kilobytes that decompress to 36 million pixels. */
export function pixelBomb(side = 6_000): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  // One bit per pixel, grey.
  head[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue. */
  at(x: number, y: number): [number, number, number]
  data: Buffer
}

export async function pixelsOf(bytes: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) =>
    [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)] as [
      number,
      number,
      number,
    ]
  return { width: info.width, height: info.height, at, data }
}

/** Expects a re-encoded raster picture: nothing of the uploaded bytes can be recovered from it. */
export function expectPainted(
  { headers, rawPayload }: { headers: Record<string, unknown>; rawPayload: Buffer },
  sent: Buffer,
): void {
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  expect([...rawPayload.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
  for (const trace of [
    sent.subarray(-64),
    sent.toString('base64').slice(-64),
    '<svg',
    'data:',
    CAMERA,
  ])
    expect(rawPayload.includes(trace)).toBe(false)
}
