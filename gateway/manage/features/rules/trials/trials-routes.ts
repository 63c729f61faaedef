import type { FastifyInstance } from 'fastify'
import * as backtests from '#shared/rules/backtest-api.ts'
import * as trials from '#shared/rules/trial-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import {
  findBacktestRows,
  findBacktests,
  readBacktestDetail,
} from '../backtests/backtest-queries.ts'
import { startBacktest, stopBacktest } from '../backtests/start-backtest.ts'
import { startTrial, stopTrial } from './start-trial.ts'
import { findTrialRows, findTrials } from './trial-queries.ts'

export function trialsRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, backtests.listBacktests, ({ db }, input) => findBacktests(db, input))
  serveQuery(app, context, backtests.backtestDetail, ({ db }, { backtestId }) =>
    readBacktestDetail(db, backtestId),
  )
  serveQuery(app, context, backtests.listBacktestRows, ({ db, actor }, input) =>
    findBacktestRows(db, actor, input),
  )
  serveCommand(app, context, backtests.startBacktest, startBacktest)
  serveCommand(app, context, backtests.stopBacktest, stopBacktest)

  serveQuery(app, context, trials.listTrials, ({ db }, input) => findTrials(db, input))
  serveQuery(app, context, trials.listTrialRows, ({ db, actor }, input) =>
    findTrialRows(db, actor, input),
  )
  serveCommand(app, context, trials.startTrial, startTrial)
  serveCommand(app, context, trials.stopTrial, stopTrial)
}
