/**
 * The result of each row of a job as a file in the user's language; the server stores codes only.
 */
import { i18n, translate } from '#client/base/i18n.ts'
import { call } from '#client/session/call.ts'
import { problemText } from '#client/session/call-error.ts'
import { saveFile } from '#client/base/save-file.ts'
import { toCsv } from '#client/ui/grid/csv.ts'
import { jobOutcome } from '#shared/jobs/jobs-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

type Row = DataOf<typeof jobOutcome>['rows'][number]

/** @throws CallError */
export async function saveOutcome(jobId: string): Promise<void> {
  const { rows } = await call(jobOutcome, { jobId })
  await i18n.loadNamespaces('problems')
  await i18n.loadNamespaces(namesIn(rows))
  saveFile(
    new Blob([toCsv(outcomeCells(rows))], { type: 'text/csv;charset=utf-8' }),
    `${jobId}.csv`,
  )
}

/** A header and one line per row. */
export function outcomeCells(rows: readonly Row[]): string[][] {
  const header = [
    translate('notifications:jobs.outcome.row'),
    translate('notifications:jobs.outcome.record'),
    translate('notifications:jobs.outcome.outcome'),
    translate('notifications:jobs.outcome.reason'),
  ]
  return [
    header,
    ...rows.map(({ row, id, state, problem, msg }) => [
      String(row),
      id,
      translate(`notifications:jobs.outcome.state.${state}`),
      state === 'failed'
        ? (problemText(problem) ?? (msg || translate('session:failure.unknown')))
        : '',
    ]),
  ]
}

/** Texts of problems, which are loaded, can include texts of other features: `$t(orders:status.30)`. */
function namesIn(rows: readonly Row[]): string[] {
  const texts = new Set(
    rows.map(({ problem }) =>
      String(i18n.getResource(i18n.language, 'problems', problem?.id ?? '') ?? ''),
    ),
  )
  return [
    ...new Set(
      [...texts].flatMap((text) =>
        [...text.matchAll(/\$t\((\w+):/g)].map(([, name]) => name as string),
      ),
    ),
  ]
}
