import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type { backtestDetail, listBacktestRows, listBacktests } from '#shared/rules/backtest-api.ts'
import type { listTrialRows, listTrials } from '#shared/rules/trial-api.ts'

export type Backtest = DataOf<typeof listBacktests>['rows'][number]
export type BacktestResult = DataOf<typeof backtestDetail>
export type BacktestCell = BacktestResult['cells'][number]
export type BacktestGroup = BacktestResult['channels'][number]
export type BacktestRow = DataOf<typeof listBacktestRows>['rows'][number]
export type Trial = DataOf<typeof listTrials>['rows'][number]
export type TrialRow = DataOf<typeof listTrialRows>['rows'][number]

type Page = 'pageNum' | 'pageSize' | 'sort'
/** Which applications behind a figure are asked for. */
export type BacktestRowsInput = Omit<InputOf<typeof listBacktestRows>, 'backtestId' | Page>
export type TrialRowsInput = Omit<InputOf<typeof listTrialRows>, Page>
