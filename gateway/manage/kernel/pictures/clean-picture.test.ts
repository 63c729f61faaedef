import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PNG } from '#tests/factories/files.ts'
import { CAMERA, pixelBomb, pixelsOf, telephonePhoto } from '#tests/factories/pictures.ts'
import { cleanPicture } from './clean-picture.ts'
import { coverOf } from './cover.ts'

const BLUE = [0x22, 0x77, 0xaa]
function expectNear(found: readonly number[], colour: readonly number[]): void {
  for (const [i, part] of colour.entries())
    expect(Math.abs((found[i] ?? -99) - part)).toBeLessThan(8)
}

test('a covered number is one colour in the stored pixels, and the rest is unchanged', async () => {
  const sent = await telephonePhoto()
  const { bytes } = await cleanPicture(sent, 'jpg', { hidesNumber: true })
  const [before, after] = [await pixelsOf(sent), await pixelsOf(bytes)]
  expectNear(before.at(600, 640), [255, 255, 255])
  const { top, bottom } = coverOf(after)
  for (let y = top + 8; y < bottom - 8; y += 16)
    for (let x = 0; x < after.width; x += 50) expectNear(after.at(x, y), [0x11, 0x11, 0x11])
  for (const [x, y] of [
    [10, 10],
    [600, 400],
    [1_190, 500],
  ] as const)
    expectNear(after.at(x, y), BLUE)
})

test.each([
  ['cut to the card', 856, 540],
  ['broad', 1_600, 900],
  ['lying', 1_200, 900],
  ['square', 1_000, 1_000],
  ['standing', 900, 1_200],
  ['tall', 720, 1_280],
])(
  'a number on a card across a picture that is %s is covered, also with a margin around it',
  (_, width, height) => {
    const { top, bottom } = coverOf({ width, height })
    for (const fill of [1, 0.85]) {
      const card = Math.min(height, (width * 54) / 85.6) * fill
      const from = (height - card) / 2
      expect(top).toBeLessThan(from + card * 0.72)
      expect(bottom).toBeGreaterThan(from + card * 0.9)
      // sex and day are above
      expect(top).toBeGreaterThan(from + card * 0.6)
    }
  },
)

test('a PNG stays a PNG, and its covered part is opaque', async () => {
  const sent = await sharp({
    create: { width: 60, height: 40, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.2 } },
  })
    .png()
    .toBuffer()
  const { bytes, kind } = await cleanPicture(sent, 'png', { hidesNumber: true })
  expect([kind, (await sharp(bytes).metadata()).format]).toEqual(['png', 'png'])
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  expect([...data.subarray(32 * info.width * 4).subarray(0, 4)]).toEqual([0x11, 0x11, 0x11, 0xff])
  expect(data[3]).toBe(51)
})

test('device, location and trailing data are removed, and the picture is turned upright', async () => {
  const sent = Buffer.concat([
    await telephonePhoto({ orientation: 6 }),
    Buffer.from('<script>behind</script>'),
  ])
  expect(sent.includes(CAMERA)).toBe(true)
  expect((await sharp(sent).metadata()).exif).toBeDefined()
  const { bytes } = await cleanPicture(sent, 'jpg')
  const { exif, xmp, iptc, icc, orientation, width, height } = await sharp(bytes).metadata()
  expect({ exif, xmp, iptc, icc, orientation, width, height }).toEqual({
    exif: undefined,
    xmp: undefined,
    iptc: undefined,
    icc: undefined,
    orientation: undefined,
    width: 800,
    height: 1_200,
  })
  expect([bytes.includes(CAMERA), bytes.includes('behind')]).toEqual([false, false])
})

test('a large picture is stored scaled down, a small one unchanged', async () => {
  const large = await cleanPicture(await telephonePhoto({ width: 4_000, height: 3_000 }), 'jpg')
  expect(await sharp(large.bytes).metadata()).toMatchObject({ width: 3_200, height: 2_400 })
  expect(await sharp((await cleanPicture(PNG, 'png')).bytes).metadata()).toMatchObject({
    width: 1,
    height: 1,
  })
})

test('a small file that decompresses to too many pixels is refused by its header', async () => {
  const bomb = pixelBomb()
  expect(bomb.length).toBeLessThan(100_000)
  // of this form a smaller one is taken
  expect((await cleanPicture(pixelBomb(800), 'png')).bytes.length).toBeGreaterThan(0)
  await expect(cleanPicture(bomb, 'png')).rejects.toMatchObject({
    name: 'PictureRefused',
    code: 'tooManyPixels',
  })
})

test('a truncated or empty picture, or one of another type than declared, is refused', async () => {
  const photo = await telephonePhoto()
  const gif = await sharp(photo).gif().toBuffer()
  const refused = [
    [photo.subarray(0, photo.length / 2), 'jpg'],
    [PNG.subarray(0, 45), 'png'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.alloc(40, 1)]), 'jpg'],
    [photo, 'png'],
    [gif, 'jpg'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), 'png'],
    [Buffer.alloc(0), 'jpg'],
  ] as const
  for (const [bytes, kind] of refused)
    await expect(cleanPicture(bytes, kind)).rejects.toMatchObject({ code: 'unreadable' })
})

test('concurrent pictures are drawn one after the other, each as if alone', async () => {
  const photo = await telephonePhoto({ width: 300, height: 200 })
  const [first, ...others] = await Promise.all(
    Array.from({ length: 9 }, () => cleanPicture(photo, 'jpg')),
  )
  for (const other of others) expect(other.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
})
