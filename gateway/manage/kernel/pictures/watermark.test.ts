import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PNG } from '#tests/factories/files.ts'
import { pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { cleanPicture } from './clean-picture.ts'
import { drawn } from './drawn-sample.ts'
import { hasLetter, written } from './letters.ts'
import { watermarked } from './watermark.ts'

const AT = '2026-03-04T06:30:00Z'
const mark = (bytes: Buffer, given: Partial<Parameters<typeof watermarked>[0]> = {}) =>
  watermarked({ bytes, isDrawn: false, account: 'manager', at: AT, hidesNumber: false, ...given })

/** Share of pixels that differ by more than a JPEG makes of them. */
async function differing(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = [await pixelsOf(one), await pixelsOf(other)]
  expect([a.width, a.height]).toEqual([b.width, b.height])
  let changed = 0
  for (let i = 0; i < a.data.length; i += 3)
    if (Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0)) > 24) changed += 1
  return (changed * 3) / a.data.length
}

test('the watermark changes pixels in every part of the picture', async () => {
  const photo = (await cleanPicture(await telephonePhoto(), 'jpg')).bytes
  const marked = await mark(photo)
  expect(await differing(photo, marked)).toBeGreaterThan(0.01)
  for (const [left, top] of [
    [0, 0],
    [600, 0],
    [0, 400],
    [600, 400],
  ] as const) {
    const part = (bytes: Buffer) =>
      sharp(bytes).extract({ left, top, width: 600, height: 400 }).png().toBuffer()
    expect(await differing(await part(photo), await part(marked))).toBeGreaterThan(0.01)
  }
})

test('another viewer or another minute gives a different picture', async () => {
  const photo = (await cleanPicture(await telephonePhoto(), 'jpg')).bytes
  const marked = await mark(photo)
  expect((await mark(photo)).equals(marked)).toBe(true)
  expect(await differing(marked, await mark(photo, { account: 'director' }))).toBeGreaterThan(0.005)
  expect(
    await differing(marked, await mark(photo, { at: '2026-03-04T06:31:00Z' })),
  ).toBeGreaterThan(0.0005)
})

test('the watermark is visible on black, white and transparent pictures', async () => {
  for (const background of ['#000', '#fff', { r: 0, g: 0, b: 0, alpha: 0 }]) {
    const plain = await sharp({ create: { width: 960, height: 640, channels: 4, background } })
      .png()
      .toBuffer()
    expect(
      await differing(
        await sharp(plain).flatten({ background: '#eee' }).png().toBuffer(),
        await mark(plain),
      ),
    ).toBeGreaterThan(0.01)
  }
})

test('a picture of one pixel is enlarged until a name can be read on it', async () => {
  expect(await sharp(await mark(PNG)).metadata()).toMatchObject({
    format: 'jpeg',
    width: 960,
    height: 960,
  })
})

test('a picture stored before covering was introduced is covered when it is read', async () => {
  const { at } = await pixelsOf(
    await mark(await telephonePhoto(), { hidesNumber: true, account: 'a' }),
  )
  const dark = Array.from({ length: 60 }, (_, i) => at(300 + i * 10, 640)).filter(
    ([red]) => red < 0x60,
  )
  expect(dark.length).toBeGreaterThan(30)
})

test('text is drawn as strokes without a font, an unknown character as a box', () => {
  const strokes = written('Asha Ж', { x: 0, y: 0, size: 20, fill: '#000' })
  expect(strokes).not.toContain('<text')
  expect(strokes.match(/<path/g)).toHaveLength(5)
  expect(strokes).toContain('M0 0H3.4V7H0z')
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 :-./_')
    expect(hasLetter(letter), letter).toBe(true)
})

test('a drawn sample is painted with its texts as strokes', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="200" height="100" fill="#fff"/><text x="100" y="60" font-size="30" text-anchor="middle" fill="#c00">Rao &amp; Co</text></svg>',
  )
  expect(drawn(svg).toString()).not.toContain('<text')
  const { data } = await pixelsOf(await mark(svg, { isDrawn: true }))
  let red = 0
  for (let i = 0; i < data.length; i += 3)
    if ((data[i] ?? 0) > 150 && (data[i + 1] ?? 255) < 80) red += 1
  expect(red).toBeGreaterThan(500)
})
