/**
 * The colours of charts: visible on both surfaces of each theme, and told apart by people who see
 * fewer colours.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lab, rgb } from 'd3'
import { expect, test } from 'vitest'
import { PALETTE_SIZE } from '#client/ui/chart/chart-types.ts'

const CSS = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8')
const [LIGHT = '', DARK = ''] = [
  /:root \{([^}]*--page[^}]*)\}/,
  /:root\[data-theme='dark'\] \{([^}]*)\}/,
].map((rule) => rule.exec(CSS)?.[1])
const tokenOf = (block: string, name: string) =>
  new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1] ?? ''
const paletteOf = (block: string) =>
  Array.from({ length: PALETTE_SIZE }, (_, nr) => tokenOf(block, `chart-${nr + 1}`))
const THEMES = [
  ['light', LIGHT],
  ['dark', DARK],
] as const

type Channels = readonly [red: number, green: number, blue: number]
const linear = (channel: number) =>
  channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4
const encoded = (part: number) => {
  const held = Math.min(1, Math.max(0, part))
  return 255 * (held <= 0.0031308 ? held * 12.92 : 1.055 * held ** (1 / 2.4) - 0.055)
}
const channels = (hex: string): Channels => {
  const { r, g, b } = rgb(hex)
  return [linear(r), linear(g), linear(b)]
}
const mixed = (row: Channels, [r, g, b]: Channels) => row[0] * r + row[1] * g + row[2] * b

function contrast(a: string, b: string): number {
  const [low, high] = [a, b]
    .map((hex) => mixed([0.2126, 0.7152, 0.0722], channels(hex)))
    .toSorted((x, y) => x - y) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** Machado, Oliveira and Fernandes 2009: a colour as it is seen without one kind of cone. */
const VISIONS: Readonly<Record<string, readonly [Channels, Channels, Channels]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

function distance(a: string, b: string, rows: readonly [Channels, Channels, Channels]): number {
  const [one, two] = [a, b].map((hex) => {
    const [r, g, blue] = rows.map((row) => encoded(mixed(row, channels(hex)))) as [
      number,
      number,
      number,
    ]
    return lab(rgb(r, g, blue))
  }) as [ReturnType<typeof lab>, ReturnType<typeof lab>]
  return Math.hypot(one.l - two.l, one.a - two.a, one.b - two.b)
}

test.each(THEMES)('every colour of a series is visible on page and surface in %s', (_, block) => {
  const low = paletteOf(block).flatMap((color) =>
    ['page', 'surface']
      .map((back) => contrast(color, tokenOf(block, back)))
      .filter((ratio) => !(ratio >= 3)),
  )
  expect(low).toEqual([])
})

test.each(THEMES)('no two series look alike with any colour vision in %s', (_, block) => {
  const palette = paletteOf(block)
  const alike = Object.entries(VISIONS).flatMap(([vision, rows]) =>
    palette.flatMap((color, nr) =>
      palette
        .slice(nr + 1)
        .filter((other) => distance(color, other, rows) < 12)
        .map((other) => `${vision}: ${color} ${other}`),
    ),
  )
  expect(alike).toEqual([])
})
