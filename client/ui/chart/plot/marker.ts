/** A marker per series, so that lines can be distinguished without their colours. */
import { symbol, symbolCircle, symbolDiamond, symbolSquare, symbolTriangle } from 'd3'

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond] as const

/** Path around 0,0. */
export function markerPath(nr: number, size: number): string {
  return symbol(SHAPES[nr % SHAPES.length] ?? symbolCircle, size)() ?? ''
}
