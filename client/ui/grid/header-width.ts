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

/**
 * The arrow of a sort never moves a column.
 * @param size of the page's texts
 * @returns pixels
 */
export function headerWidth(title: string, isSortable: boolean, size: string): number {
  const key = `${size} ${title}`
  let width = widths.get(key)
  if (width === undefined) {
    pen ??= document.createElement('canvas').getContext('2d')
    if (pen === null) return 0
    const { fontFamily, fontSize } = getComputedStyle(document.body)
    pen.font = `${WEIGHT} ${fontSize} ${fontFamily}`
    width = Math.ceil(pen.measureText(title).width)
    // until the font is there, another one is measured
    if (document.fonts.status === 'loaded') widths.set(key, width)
  }
  return width + PADDING + (isSortable ? SORT_ARROW : 0)
}
