import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { listTrialRows } from '#shared/rules/trial-api.ts'
import { JudgedRows, ROWS_SIZE } from './JudgedRows.tsx'
import type { TrialRowsInput } from './trial-types.ts'

/** The applications behind a figure of a trial. */
export function TrialRows({
  input,
  onClose,
}: {
  input: TrialRowsInput
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(
    queryOf(listTrialRows, { ...input, pageNum: page, pageSize: ROWS_SIZE }),
  )
  return (
    <JudgedRows
      timeLabel={t('trial.judged')}
      rows={data?.rows.map((row) => ({ ...row, time: row.judgeTime }))}
      total={data?.total ?? 0}
      page={page}
      error={error}
      onPage={setPage}
      onRetry={() => void refetch()}
      onClose={onClose}
    />
  )
}
