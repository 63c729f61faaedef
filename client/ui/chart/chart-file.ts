/**
 * The picture of a chart as a file: a copy with its styles written into it, its title above and the
 * names of its series below.
 */
import type { DrawnSeries } from './chart-types.ts'

export interface ChartFile {
  blob: Blob
  width: number
  height: number
}

const NS = 'http://www.w3.org/2000/svg'
/** What the style sheet decides and a file must keep. */
const KEPT = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
] as const
const MARGIN = 12
const TITLE = 30
const NAMES = 26
const NAME_GAP = 18
/** Pixels of the file per pixel of the screen. */
const SHARPNESS = 2

export function svgOf(
  picture: SVGSVGElement,
  title: string,
  series: readonly DrawnSeries[],
): ChartFile {
  const root = getComputedStyle(picture)
  const { width, height } = picture.getBoundingClientRect()
  const names = series.length > 1 ? NAMES : 0
  const size = { width: width + 2 * MARGIN, height: height + TITLE + names + MARGIN }
  const svg = document.createElementNS(NS, 'svg')
  set(svg, { xmlns: NS, ...size, viewBox: `0 0 ${size.width} ${size.height}` })
  const ink = root.getPropertyValue('--ink')
  const font = { 'font-family': root.fontFamily, 'font-size': '13', fill: ink }
  add(svg, 'rect', { ...size, fill: root.getPropertyValue('--surface') })
  add(svg, 'text', { ...font, x: MARGIN, y: 21, 'font-weight': '600' }).textContent = title
  const plot = add(svg, 'g', { transform: `translate(${MARGIN},${TITLE})` })
  plot.append(...[...picture.children].map(styledCopy))
  let x = MARGIN
  for (const { label, color } of names === 0 ? [] : series) {
    const y = TITLE + height + 16
    add(svg, 'rect', { x, y: y - 9, width: 10, height: 10, rx: 2, fill: solid(picture, color) })
    const text = add(svg, 'text', { ...font, 'font-size': '12', x: x + 15, y })
    text.textContent = label
    x += 15 + label.length * 7 + NAME_GAP
  }
  const source = new XMLSerializer().serializeToString(svg)
  return { blob: new Blob([source], { type: 'image/svg+xml' }), ...size }
}

/** @throws Error when the browser cannot draw it */
export async function pngOf({ blob, width, height }: ChartFile): Promise<Blob> {
  const url = URL.createObjectURL(blob)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * SHARPNESS)
    canvas.height = Math.round(height * SHARPNESS)
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) => {
      canvas.toBlob((png) => (png === null ? reject(new Error('no picture')) : resolve(png)))
    })
  } finally {
    URL.revokeObjectURL(url)
  }
}

function styledCopy(element: Element): Element {
  const copy = element.cloneNode(false) as Element
  const style = getComputedStyle(element)
  copy.removeAttribute('class')
  copy.removeAttribute('style')
  for (const name of KEPT) copy.setAttribute(name, plain(style.getPropertyValue(name)))
  for (const child of element.childNodes)
    copy.append(child instanceof Element ? styledCopy(child) : child.cloneNode())
  return copy
}

/** A colour with its variables and mixtures resolved. */
function solid(near: Element, color: string): string {
  const probe = document.createElementNS(NS, 'g')
  probe.style.color = color
  near.append(probe)
  const resolved = getComputedStyle(probe).color
  probe.remove()
  return plain(resolved)
}

/** A mixed colour in the words every reader of SVG knows: `color(srgb 0.2 0.4 0.6)` is `rgb(51,102,153)`. */
function plain(value: string): string {
  const parts = /^color\(srgb ([\d. ]+)\)$/.exec(value)?.[1]?.split(' ').map(Number)
  return parts === undefined
    ? value
    : `rgb(${parts.map((part) => Math.round(part * 255)).join(',')})`
}

function add(
  parent: Element,
  tag: 'g' | 'rect' | 'text',
  attributes: Record<string, string | number>,
): Element {
  const element = document.createElementNS(NS, tag)
  set(element, attributes)
  parent.append(element)
  return element
}

function set(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
}
