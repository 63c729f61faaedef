/**
 * Reads the tokens as the browser does and checks that text on each of the eight theme colours has
 * enough contrast, in light and in dark.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { THEMES } from '#shared/preferences/preference-sets.ts'

const CSS = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8').replace(
  /\/\*[^]*?\*\//g,
  '',
)
const RULES = [...CSS.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors, body]) => ({
  selectors: (selectors as string).split(',').map((one) => one.trim()),
  tokens: Object.fromEntries(
    [...(body as string).matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [
      name as string,
      value as string,
    ]),
  ),
}))

/** Tokens of the root with these attributes; a selector with more attributes has precedence. */
function tokensOf(preset: string, mode: 'light' | 'dark'): Record<string, string> {
  const on = new Set([`[data-preset='${preset}']`, `[data-theme='${mode}']`])
  const matching = RULES.flatMap((rule, order) =>
    rule.selectors.flatMap((selector) => {
      const attributes = selector.match(/\[[^\]]+\]/g) ?? []
      return /^:root(\[[^\]]+\])*$/.test(selector) && attributes.every((one) => on.has(one))
        ? [{ weight: attributes.length, order, tokens: rule.tokens }]
        : []
    }),
  )
  return Object.assign(
    {},
    ...matching
      .toSorted((a, b) => a.weight - b.weight || a.order - b.order)
      .map(({ tokens }) => tokens),
  ) as Record<string, string>
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Text colours, each with its backgrounds. */
const TEXT: readonly [string, readonly string[]][] = [
  ['primary-ink', ['primary', 'primary-hover', 'primary-active']],
  [
    'primary-text',
    ['page', 'surface', 'surface-sunken', 'surface-hover', 'primary-soft', 'surface-selected'],
  ],
  ['ink', ['surface-selected', 'primary-soft']],
  ['ink-muted', ['surface-selected', 'primary-soft']],
]
/** Colours that carry meaning without text. */
const SHAPES: readonly [string, readonly string[]][] = [
  ['primary', ['page', 'surface']],
  ['focus', ['page', 'surface', 'surface-selected']],
  ['side-mark', ['side', 'side-hover']],
]

test.each(
  THEMES.flatMap((theme) => (['light', 'dark'] as const).map((mode) => [theme, mode] as const)),
)('%s has enough contrast for its text in %s', (theme, mode) => {
  const tokens = tokensOf(theme.slice(1), mode)
  const low = [
    [TEXT, 4.5],
    [SHAPES, 3],
  ].flatMap(([pairs, least]) =>
    (pairs as typeof TEXT)
      .flatMap(([front, backs]) =>
        backs.map(
          (back) =>
            [
              `${front} on ${back}`,
              contrast(tokens[front] as string, tokens[back] as string),
            ] as const,
        ),
      )
      .filter(([, ratio]) => !(ratio >= (least as number))),
  )
  expect(low).toEqual([])
})
