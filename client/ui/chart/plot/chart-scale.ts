/** Where points and values lie, and which of them are labelled. Pure. */
import { scaleBand, scaleLinear } from 'd3'
import type { ChartPoint } from '../chart-types.ts'
import type { ValueFormat } from '#client/ui/value/value-text.ts'

/** The inner edges of the plot within its SVG. */
export interface PlotFrame {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** Of a sequence, labels may be thinned out; names are all shown, turned where they would touch. */
  labels: 'sequence' | 'names' | 'turned'
}

export interface XScale {
  /** Middle of each point. */
  at: readonly number[]
  /** Width that belongs to one point. */
  band: number
}

export interface YScale {
  of: (value: number) => number
  ticks: readonly number[]
  zero: number
}

const FONT = 12
const AXIS_HEIGHT = 24
const TOP = 18
const RIGHT = 20
const LABEL_GAP = 12
const NAME_GAP = 4
const MARK = /\p{Mn}/u
/** Of turned names: the angle, the height they get at most, and the least distance of two. */
const TURN = (35 * Math.PI) / 180
const TURNED_HEIGHT = 92
const TURNED_GAP = 15
const TICK_EVERY = 56
/** Steps of an axis of durations, in seconds. */
const TIME_STEPS = [1, 5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400] as const

/** Width of a text of the axis; a wide character takes the room of two, a mark above a letter none. */
export function textWidth(text: string): number {
  let units = 0
  for (const letter of text)
    if (!MARK.test(letter)) units += (letter.codePointAt(0) ?? 0) > 0x2e7f ? 1.8 : 1
  return units * FONT * 0.56
}

/**
 * Room for the labels of the value axis on the left, and for those of the points below.
 * @param ticks labels of the value axis
 * @param names points of which each must be named; none where they are a sequence, such as days
 */
export function plotFrame(
  width: number,
  height: number,
  ticks: readonly string[],
  names: readonly ChartPoint[] = [],
): PlotFrame {
  const values = Math.max(0, ...ticks.map(textWidth))
  const room = Math.ceil(values) + 10
  const right = Math.max(0, width - RIGHT)
  const widest = Math.max(0, ...names.map(({ label }) => textWidth(label)))
  const doTouch = widest + NAME_GAP > (right - room) / Math.max(1, names.length)
  const left = doTouch ? Math.max(room, roomOfFirst(names, right, width / 4)) : room
  const labels = names.length === 0 ? 'sequence' : doTouch ? 'turned' : 'names'
  const below = doTouch
    ? Math.min(TURNED_HEIGHT, height / 3, AXIS_HEIGHT + widest * Math.sin(TURN))
    : AXIS_HEIGHT
  return { width, height, left, right, top: TOP, bottom: height - below, labels }
}

/** Where the plot begins so that the first turned name, which ends below its point, is not cut. */
function roomOfFirst(names: readonly ChartPoint[], right: number, most: number): number {
  const half = 1 / (2 * names.length)
  const name = textWidth(names[0]?.label ?? '') * Math.cos(TURN)
  return Math.min(most, Math.ceil((name - right * half) / (1 - half)))
}

/**
 * @param hasBars bars need a band of their own; lines start and end at the edges
 */
export function xScale(
  points: readonly ChartPoint[],
  { left, right }: Pick<PlotFrame, 'left' | 'right'>,
  hasBars: boolean,
): XScale {
  const bands = scaleBand<number>(
    points.map((_, index) => index),
    [left, right],
  )
    .paddingInner(hasBars ? 0.28 : 1)
    .paddingOuter(hasBars ? 0.14 : points.length > 1 ? 0.2 : 0.5)
  const band = bands.bandwidth()
  return {
    at: points.map((_, index) => (bands(index) ?? left) + band / 2),
    band: hasBars ? band : bands.step(),
  }
}

/** Values of an axis from 0 to past the greatest, at round steps. */
export function yTicks(
  values: readonly number[],
  format: ValueFormat,
  height: number,
): readonly number[] {
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const wanted = Math.max(2, Math.floor(height / TICK_EVERY))
  if (least === most) return [0, 1]
  if (format === 'seconds') {
    const step =
      TIME_STEPS.find((one) => (most - least) / one <= wanted) ??
      Math.ceil((most - least) / wanted / 86_400) * 86_400
    const from = Math.floor(least / step)
    const to = Math.ceil(most / step)
    return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step)
  }
  const scale = scaleLinear([least, most], [0, 1]).nice(wanted)
  // no label between two whole numbers
  return scale.ticks(wanted).filter((tick) => Number.isInteger(tick))
}

export function yScale(ticks: readonly number[], { top, bottom }: PlotFrame): YScale {
  const scale = scaleLinear([ticks[0] ?? 0, ticks.at(-1) ?? 1], [bottom, top])
  return { of: (value) => scale(value), ticks, zero: scale(0) }
}

/** Turned names, cut where they would leave the picture, with the transform that places each. */
export function turnedLabels(
  points: readonly ChartPoint[],
  { at, band }: XScale,
  { bottom, height }: PlotFrame,
): { index: number; text: string; transform: string }[] {
  const top = bottom + 12
  const every = Math.max(1, Math.ceil(TURNED_GAP / Math.max(1, stepOf(at, band))))
  return points.flatMap(({ label }, index) => {
    const x = (at[index] ?? 0) + 4
    const room = Math.min((height - top) / Math.sin(TURN), x / Math.cos(TURN))
    const transform = `translate(${x},${top}) rotate(${(-TURN * 180) / Math.PI})`
    return index % every === 0 ? [{ index, text: cut(label, room), transform }] : []
  })
}

function stepOf(at: readonly number[], band: number): number {
  return at.length > 1 ? ((at.at(-1) ?? 0) - (at[0] ?? 0)) / (at.length - 1) : band
}

function cut(text: string, room: number): string {
  if (textWidth(text) <= room) return text
  const letters = [...text]
  while (letters.length > 1 && textWidth(`${letters.join('')}…`) > room) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** Indexes of the points that are labelled, evenly chosen so that no two labels touch. */
export function labelledPoints(points: readonly ChartPoint[], x: XScale): readonly number[] {
  const shown: number[] = []
  const width = (index: number) => textWidth(points[index]?.tick ?? points[index]?.label ?? '')
  const widest = Math.max(0, ...points.map((_, index) => width(index)))
  const step = stepOf(x.at, Number.POSITIVE_INFINITY)
  const every = Math.max(1, Math.ceil((widest + LABEL_GAP) / Math.max(1, step)))
  let free = Number.NEGATIVE_INFINITY
  for (let index = 0; index < points.length; index += every) {
    const middle = x.at[index] ?? 0
    if (width(index) === 0 || middle - width(index) / 2 < free) continue
    shown.push(index)
    free = middle + width(index) / 2 + LABEL_GAP / 2
  }
  return shown
}
