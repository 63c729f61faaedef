/** Every report: its figures are those of the book and lead to their rows. */
import { test } from 'vitest'
import { proveReport, REPORT_PATHS, reportStage } from '#tests/support/report-walk.ts'

const stage = reportStage()

test.each(REPORT_PATHS)(
  '%s shows what the book says, by pointer, by keys and as a file, and opens those rows',
  async (path) => proveReport(stage, path),
)
