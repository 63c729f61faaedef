import type { FastifyInstance } from 'fastify'
import * as alertCalls from '#shared/reports/alerts-api.ts'
import {
  approveReport as approveCall,
  riskReport as riskCall,
} from '#shared/reports/approve-api.ts'
import { reportChanges as changesCall } from '#shared/reports/changes-api.ts'
import { channelReport as channelCall } from '#shared/reports/channel-api.ts'
import {
  bucketReport as bucketCall,
  recyclingTrend as recyclingCall,
  repaymentReport as repaymentCall,
} from '#shared/reports/repayment-api.ts'
import {
  deliveryReport as deliveryCall,
  enterSpend as enterSpendCall,
  listSpend as listSpendCall,
} from '#shared/reports/delivery-api.ts'
import { homeFigures as homeCall } from '#shared/reports/home-figures-api.ts'
import { processReport as processCall } from '#shared/reports/process-api.ts'
import { recallTrend as recallCall } from '#shared/reports/recall-api.ts'
import { reloanReport as reloanCall } from '#shared/reports/reloan-api.ts'
import { remindReport as remindCall } from '#shared/reports/remind-api.ts'
import { reportOptions as optionsCall } from '#shared/reports/reports-api.ts'
import {
  hourReport as hourCall,
  qualityReport as qualityCall,
  reasonReport as reasonCall,
  reviewReport as reviewCall,
} from '#shared/reports/review-report-api.ts'
import {
  acquisitionTrend as acquisitionCall,
  lendingTrend as lendingCall,
} from '#shared/reports/trends-api.ts'
import * as subscriptionCalls from '#shared/reports/subscriptions-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { MessageVendor } from '#gateway/manage/vendors/message-vendor.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { listAlerts, readers } from './alerts/alert-queries.ts'
import { deleteAlert, saveAlert } from './alerts/save-alert.ts'
import { approveReport } from './approve-report.ts'
import { channelReport } from './channel-report.ts'
import { deliveryReport } from './delivery-report.ts'
import { enterSpend } from './enter-spend.ts'
import { homeFigures } from './home-figures.ts'
import { processReport } from './process-report.ts'
import { reportChanges } from './report-changes.ts'
import { reportOptions } from './report-options.ts'
import { bucketReport } from './bucket-report.ts'
import { recallTrend } from './recall-trend.ts'
import { recyclingTrend } from './recycling-trend.ts'
import { reloanReport } from './reloan-report.ts'
import { remindReport } from './remind-report.ts'
import { repaymentReport } from './repayment-report.ts'
import { riskReport } from './risk-report.ts'
import { hourReport, qualityReport, reasonReport, reviewReport } from './review-reports.ts'
import { listSpend } from './spend-queries.ts'
import {
  deleteSubscription,
  listSubscriptions,
  saveSubscription,
} from './subscriptions/subscription-store.ts'
import { acquisitionTrend, lendingTrend } from './trends.ts'

export function reportsRoutes(
  app: FastifyInstance,
  context: AppContext,
  messages: MessageVendor | null,
): void {
  serveQuery(app, context, alertCalls.listAlerts, ({ db, actor }, input) =>
    listAlerts(db, actor, input),
  )
  serveQuery(app, context, alertCalls.alertReaders, ({ db }, input) => readers(db, input))
  serveCommand(app, context, alertCalls.saveAlert, saveAlert)
  serveCommand(app, context, alertCalls.deleteAlert, deleteAlert)
  serveQuery(app, context, subscriptionCalls.listSubscriptions, (query) =>
    listSubscriptions(query, messages),
  )
  serveCommand(app, context, subscriptionCalls.saveSubscription, saveSubscription)
  serveCommand(app, context, subscriptionCalls.deleteSubscription, deleteSubscription)
  serveQuery(app, context, optionsCall, ({ db, actor }) => reportOptions(db, actor))
  serveQuery(app, context, changesCall, ({ db }, input) => reportChanges(db, input))
  serveQuery(app, context, homeCall, ({ db }, input) => homeFigures(db, input))
  serveQuery(app, context, channelCall, ({ db }, input) => channelReport(db, input))
  serveQuery(app, context, processCall, ({ db }, input) => processReport(db, input))
  serveQuery(app, context, approveCall, ({ db }, input) => approveReport(db, input))
  serveQuery(app, context, riskCall, ({ db }, input) => riskReport(db, input))
  serveQuery(app, context, acquisitionCall, ({ db }, input) => acquisitionTrend(db, input))
  serveQuery(app, context, lendingCall, ({ db }, input) => lendingTrend(db, input))
  serveQuery(app, context, repaymentCall, ({ db, actor }, input) =>
    repaymentReport(db, actor, input),
  )
  serveQuery(app, context, remindCall, ({ db, actor }, input) => remindReport(db, actor, input))
  serveQuery(app, context, bucketCall, ({ db, actor }, input) => bucketReport(db, actor, input))
  serveQuery(app, context, deliveryCall, ({ db }, input) => deliveryReport(db, input))
  serveQuery(app, context, listSpendCall, ({ db }, input) => listSpend(db, input))
  serveCommand(app, context, enterSpendCall, enterSpend)
  serveQuery(app, context, reloanCall, ({ db }, input) => reloanReport(db, input))
  serveQuery(app, context, reviewCall, ({ db, actor }, input) => reviewReport(db, actor, input))
  serveQuery(app, context, qualityCall, ({ db, actor }, input) => qualityReport(db, actor, input))
  serveQuery(app, context, reasonCall, ({ db, actor }, input) => reasonReport(db, actor, input))
  serveQuery(app, context, hourCall, ({ db, actor }, input) => hourReport(db, actor, input))
  serveQuery(app, context, recallCall, ({ db, actor }, input) => recallTrend(db, actor, input))
  serveQuery(app, context, recyclingCall, ({ db, actor }, input) =>
    recyclingTrend(db, actor, input),
  )
}
