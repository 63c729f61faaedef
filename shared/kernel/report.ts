import Type, { type TProperties } from 'typebox'
import { Day } from './endpoint.ts'

/** Longest range of a report, in IST days. */
export const REPORT_DAYS = 92

/** Input of a report call: IST days, both included, and the filters named. */
export const ReportInput = <P extends TProperties>(filters: P) =>
  Type.Object({ dateFrom: Day(), dateTo: Day(), ...filters })

/**
 * Answer of a report call: a row per group in the order of the chart, the same measures of as many
 * days before, and those of all rows together. A rate of the sum is not the sum of the rates, so the
 * server answers it.
 */
export const ReportData = <K extends TProperties, M extends TProperties>(keys: K, measures: M) =>
  Type.Object({
    rows: Type.Array(Type.Object({ ...keys, ...measures })),
    previous: Type.Array(Type.Object({ ...keys, ...measures })),
    sum: Type.Object(measures),
    asOf: Type.String(),
    /** The figures of older days are still being prepared: some are missing. */
    isFilling: Type.Boolean(),
  })
