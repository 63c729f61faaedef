import { RULES_MENU } from '#shared/rules/rules-menu.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { backtestJob } from './backtests/backtest-job.ts'
import { batchJob } from './batch/batch-job.ts'
import { bookRoutes } from './book/book-routes.ts'
import { ruleApproval } from './book/enable-rule.ts'
import { tableApproval } from './tables/enable-table.ts'
import { tableRoutes } from './tables/table-routes.ts'
import { rulesRoutes } from './rules-routes.ts'
import { KEPT_ROWS } from './trials/kept-rows.ts'
import { trialsRoutes } from './trials/trials-routes.ts'

export const rules: Feature = {
  menu: RULES_MENU,
  jobTypes: ({ hooked }) => [...hooked('batches').map(batchJob), backtestJob(hooked('ruleFacts'))],
  hooks: { approvals: [ruleApproval, tableApproval], retained: KEPT_ROWS },
  routes(base, { context, hooked }) {
    rulesRoutes(base, context, hooked('batches'))
    bookRoutes(base, context, hooked('ruleFacts'))
    tableRoutes(base, context, hooked('ruleFacts'))
    trialsRoutes(base, context)
  },
}
