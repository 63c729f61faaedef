import Type, { type TProperties, type TSchema } from 'typebox'
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
  Type.Object({ ...reportRows(keys, measures), sum: Type.Object(measures) })

/** The same without a sum, for rows that are parts of one another. */
export const ReportRows = <K extends TProperties, M extends TProperties>(keys: K, measures: M) =>
  Type.Object(reportRows(keys, measures))

const reportRows = <K extends TProperties, M extends TProperties>(keys: K, measures: M) => ({
  rows: Type.Array(Type.Object({ ...keys, ...measures })),
  previous: Type.Array(Type.Object({ ...keys, ...measures })),
  asOf: Type.String(),
  /** The figures of older days are still being prepared: some are missing. */
  isFilling: Type.Boolean(),
})

/** Answer of a call for what happened in the days of a report, the earliest first. */
export const ReportChanges = <K extends TSchema>(kind: K) =>
  Type.Object({
    rows: Type.Array(
      Type.Object({
        at: Type.String(),
        kind,
        /** Name of what was changed. */
        what: Type.String(),
        /** Who did it. */
        by: Type.String(),
      }),
    ),
    /** Only the newest are returned. */
    isCut: Type.Boolean(),
  })
