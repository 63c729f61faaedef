/**
 * How wide a column must be for its title, which is longer in some languages than the values below
 * it: a title that is cut does not say what the column is.
 */

/** Padding of both sides, and a pixel for rounding. */
const PADDING = 17
const SORT_ARROW = 22
const WEIGHT = 600

const widths = new Map<string, number>()
let pen: CanvasRenderingContext2D | null = null

/** @returns pixels, in the font that the page has now; the arrow of a sort never moves a column */
export function headerWidth(title: string, isSortable: boolean): number {
  const { fontFamily, fontSize } = getComputedStyle(document.body)
  const font = `${WEIGHT} ${fontSize} ${fontFamily}`
  const key = `${font} ${title}`
  let width = widths.get(key)
  if (width === undefined) {
    pen ??= document.createElement('canvas').getContext('2d')
    if (pen === null) return 0
    pen.font = font
    width = Math.ceil(pen.measureText(title).width)
    // until the font is there, another one is measured
    if (document.fonts.status === 'loaded') widths.set(key, width)
  }
  return width + PADDING + (isSortable ? SORT_ARROW : 0)
}
