/**
 * The console with every text twice as long, changed while it loads, to find texts that would be
 * cut off in a language with long words. Never part of a release.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { CLIENT } from './stack.ts'

const ENGLISH = join(import.meta.dirname, '..', '..', 'locales', 'en')
const NAMES = readdirSync(ENGLISH)
const NAMESPACES: ReadonlySet<string> = new Set(NAMES.map((file) => file.replace('.json', '')))
const FILES: ReadonlySet<string> = new Set(
  NAMES.map((file) => inOrder(JSON.parse(readFileSync(join(ENGLISH, file), 'utf8')) as Texts)),
)
/** Placeholders stay single: data keep their length. */
const FILLED_IN = /\{\{.*?\}\}|\$t\((?:[^()]|\([^()]*\))*\)|<\/?\d+>/g

interface Texts {
  [key: string]: string | Texts
}

export function doubled(texts: Texts): Texts {
  const twice = (text: string) =>
    /\p{L}/u.test(text.replace(FILLED_IN, ''))
      ? `${text} ${text.replace(FILLED_IN, '').trim()}`
      : text
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? twice(value) : doubled(value),
    ]),
  )
}

function inOrder(texts: Texts): string {
  return JSON.stringify(Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Before the first page: chunks of English texts are answered with doubled texts. */
export async function doubleTexts(context: BrowserContext): Promise<void> {
  const bodies = await (made ??= doubledChunks())
  await context.route(
    ({ pathname }) => bodies.has(pathname.slice(pathname.lastIndexOf('/') + 1)),
    (route) => {
      const { pathname } = new URL(route.request().url())
      return route.fulfill({
        contentType: 'text/javascript',
        body: bodies.get(pathname.slice(pathname.lastIndexOf('/') + 1)) ?? '',
      })
    },
  )
}

let made: Promise<ReadonlyMap<string, string>> | null = null

/**
 * A chunk of texts is named after its namespace, imports nothing, and its default export is a file
 * of `locales/en`.
 */
async function doubledChunks(): Promise<ReadonlyMap<string, string>> {
  const assets = join(CLIENT, 'assets')
  const bodies = new Map<string, string>()
  for (const file of readdirSync(assets)) {
    if (!file.endsWith('.js') || !NAMESPACES.has(file.slice(0, file.lastIndexOf('-')))) continue
    const own = readFileSync(join(assets, file), 'utf8').replace(/^(?:import"[^"]+";)*/, '')
    if (/\bimport[{*(]/.test(own)) continue
    const { default: texts } = (await import(
      `data:text/javascript,${encodeURIComponent(own)}`
    )) as { default?: Texts }
    if (texts === undefined) continue
    // the build adds the titles of all features to the texts of the frame
    const { titles: _, ...asFile } = texts
    if (FILES.has(inOrder(asFile)))
      bodies.set(file, `export default ${JSON.stringify(doubled(texts))}`)
  }
  return bodies
}

/** Texts that are cut off without a title, lie outside their box, or overlap. */
export function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.getBoundingClientRect().width > 2
    const wordsOf = (element: Element) =>
      (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)
    const ownText = (element: Element) =>
      [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      )
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${[...element.classList].join('.')}`
    const faults = new Set<string>()
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      if (
        !ownText(element) ||
        element.closest('.visually-hidden, svg, [aria-hidden="true"]') !== null ||
        !isShown(element)
      )
        continue
      const style = getComputedStyle(element)
      if (
        element.clientWidth < 3 ||
        element.scrollWidth <= element.clientWidth + 1 ||
        /auto|scroll/.test(style.overflowX)
      )
        continue
      // a column without its title says nothing
      const isTitle = element.matches('.ag-header-cell:not(.cell-actions) .ag-header-cell-text')
      const readable =
        style.textOverflow === 'ellipsis' && element.closest('[title]') !== null && !isTitle
      if (!readable)
        faults.add(
          `${style.overflowX === 'visible' ? 'outside' : 'cut'}: ${nameOf(element)} "${wordsOf(element)}"`,
        )
    }
    const presses = [
      ...document.querySelectorAll<HTMLElement>(
        'button, a[href], [role="tab"], [role="radio"], select, input',
      ),
    ].filter(
      (element) => isShown(element) && element.closest('.visually-hidden, .ag-root') === null,
    )
    // The visible part of its content: inside its padding and inside every ancestor that scrolls or
    // clips.
    const seenOf = (element: HTMLElement): DOMRect => {
      const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(element)
      const whole = element.getBoundingClientRect()
      let [left, right, top, bottom] = [
        whole.left + Number.parseFloat(paddingLeft),
        whole.right - Number.parseFloat(paddingRight),
        whole.top + Number.parseFloat(paddingTop),
        whole.bottom - Number.parseFloat(paddingBottom),
      ]
      for (
        let around = element.parentElement;
        around !== null && around !== document.body;
        around = around.parentElement
      ) {
        if (getComputedStyle(around).overflowX === 'visible') continue
        const frame = around.getBoundingClientRect()
        ;[left, right, top, bottom] = [
          Math.max(left, frame.left),
          Math.min(right, frame.right),
          Math.max(top, frame.top),
          Math.min(bottom, frame.bottom),
        ]
      }
      return new DOMRect(left, top, right - left, bottom - top)
    }
    const boxes = presses
      .map((element) => ({ element, whole: element.getBoundingClientRect(), box: seenOf(element) }))
      .filter(({ box }) => box.height > 2 && box.width > 2)
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        if (
          one.element.contains(other.element) ||
          other.element.contains(one.element) ||
          one.element.closest('label, .bp6-input-group, .bp6-control') ===
            (other.element.closest('label, .bp6-input-group, .bp6-control') ?? one.element)
        )
          continue
        const wide =
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
        const high =
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
        if (wide > 3 && high > 3) {
          const [first, second] = [one, other].map(
            ({ element }) => `${nameOf(element)} "${wordsOf(element)}"`,
          )
          faults.add(`over each other: ${first} and ${second}`)
        }
      }
      // An ancestor that does not scroll hides what lies outside of it.
      for (
        let around = one.element.parentElement;
        around !== null && around !== document.body;
        around = around.parentElement
      ) {
        const { overflowX } = getComputedStyle(around)
        if (overflowX === 'visible') continue
        if (
          overflowX !== 'auto' &&
          overflowX !== 'scroll' &&
          one.whole.right > around.getBoundingClientRect().right + 2
        )
          faults.add(
            `hidden: ${nameOf(one.element)} "${wordsOf(one.element)}" in ${nameOf(around)}`,
          )
        break
      }
    }
    if (document.documentElement.scrollWidth > innerWidth + 1)
      faults.add(`the page is ${document.documentElement.scrollWidth} px wide`)
    return [...faults]
  })
}
