/**
 * How steadily something grows: the slope of the least squares line through the points.
 * @returns units of `y` per unit of `x`; NaN for fewer than three points
 */
export function slopeOf(points: readonly { x: number; y: number }[]): number {
  if (points.length < 3) return Number.NaN
  const mean = (values: number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [mx, my] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const spread = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0)
  return points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / spread
}
