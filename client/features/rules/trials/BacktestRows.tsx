import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { queryOf } from '#client/session/query.ts'
import { listBacktestRows } from '#shared/rules/backtest-api.ts'
import { JudgedRows, ROWS_SIZE } from './JudgedRows.tsx'
import type { BacktestRowsInput } from './trial-types.ts'

/** The applications behind a figure of a back-test. */
export function BacktestRows({
  backtestId,
  input,
  onClose,
}: {
  backtestId: string
  input: BacktestRowsInput
  onClose: () => void
}): ReactNode {
  const t = useText('rules')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(
    queryOf(listBacktestRows, { backtestId, ...input, pageNum: page, pageSize: ROWS_SIZE }),
  )
  return (
    <JudgedRows
      timeLabel={t('trial.applied')}
      rows={data?.rows.map((row) => ({ ...row, time: row.applyTime }))}
      total={data?.total ?? 0}
      page={page}
      error={error}
      onPage={setPage}
      onRetry={() => void refetch()}
      onClose={onClose}
    />
  )
}
