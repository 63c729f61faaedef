/** The figures of each report with the rows behind them: the count of the list is the figure. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { ReportRow } from '#client/screen/report/report-types.ts'
import {
  APPROVE_MEASURES,
  type approveReport,
  RISK_MEASURES,
  type riskReport,
} from '#shared/reports/approve-api.ts'
import { CHANNEL_MEASURES, type channelReport } from '#shared/reports/channel-api.ts'
import { DELIVERY_MEASURES, type deliveryReport } from '#shared/reports/delivery-api.ts'
import { HOME_MEASURES, type homeFigures } from '#shared/reports/home-figures-api.ts'
import { PROCESS_MEASURES, type processReport } from '#shared/reports/process-api.ts'
import { RECALL_MEASURES, type recallTrend } from '#shared/reports/recall-api.ts'
import { REMIND_MEASURES, type remindReport } from '#shared/reports/remind-api.ts'
import { RELOAN_MEASURES, type reloanReport } from '#shared/reports/reloan-api.ts'
import {
  BUCKET_MEASURES,
  type bucketReport,
  REPAYMENT_MEASURES,
  type repaymentReport,
} from '#shared/reports/repayment-api.ts'
import {
  ACQUISITION_MEASURES,
  type acquisitionTrend,
  LENDING_MEASURES,
  type lendingTrend,
} from '#shared/reports/trends-api.ts'
import { type Group, measuresOf, type Rows, type WhyNot } from './report-measures.ts'
import {
  APPLICATIONS,
  BILLS,
  byClass,
  cameBackWithin,
  CERTIFIED,
  decidedAs,
  DISBURSED,
  DUE_PLANS,
  EXTENDED_PLANS,
  FIRST_LOANS,
  NEW_TICKETS,
  PAYMENTS,
  plansSettled,
  RE_LOANS,
  refusedFor,
  REGISTRATIONS,
  SETTLED,
} from './rows-behind.ts'

const CUSTOMERS = { registrations: REGISTRATIONS, certified: CERTIFIED }
const LOANS = { disbursed: DISBURSED, disbursedAmount: DISBURSED }

export const HOME_FIGURES = measuresOf<
  ReportRow<typeof homeFigures>,
  (typeof HOME_MEASURES)[number]
>(HOME_MEASURES, {
  ...CUSTOMERS,
  ...LOANS,
  applications: APPLICATIONS,
  autoPassed: decidedAs('autoPassed'),
  manualPassed: decidedAs('manualPassed'),
  firstLoans: FIRST_LOANS,
  reLoans: RE_LOANS,
  failedTransfers: 'events',
  dueAmount: DUE_PLANS,
  receivedAmount: PAYMENTS,
  newOverdueAmount: 'past',
  collectedAmount: BILLS,
  waivedAmount: 'noFilter',
  chargedOffAmount: 'noFilter',
  newTickets: NEW_TICKETS,
})

export const CHANNEL_FIGURES = measuresOf<
  ReportRow<typeof channelReport>,
  (typeof CHANNEL_MEASURES)[number]
>(CHANNEL_MEASURES, {
  ...CUSTOMERS,
  ...LOANS,
  visits: 'entered',
  applications: APPLICATIONS,
  approved: decidedAs('autoPassed', 'manualPassed'),
  firstLoans: FIRST_LOANS,
  spend: 'entered',
})

export const PROCESS_FIGURES = measuresOf<
  ReportRow<typeof processReport>,
  (typeof PROCESS_MEASURES)[number]
>(PROCESS_MEASURES, {
  reached: ({ step }) =>
    step === 'registered' ? { ...REGISTRATIONS, takes: ['channelId', 'appId'] } : 'step',
  medianTime: 'time',
})

export const APPROVE_FIGURES = measuresOf<
  ReportRow<typeof approveReport>,
  (typeof APPROVE_MEASURES)[number]
>(APPROVE_MEASURES, {
  applications: byClass(APPLICATIONS),
  disbursed: byClass(DISBURSED),
  autoPassed: byClass(decidedAs('autoPassed')),
  autoFailed: byClass(decidedAs('autoFailed')),
  undecided: byClass(decidedAs('undecided')),
  limitFailed: byClass(decidedAs('limitFailed')),
  manualPassed: byClass(decidedAs('manualPassed')),
  manualFailed: byClass(decidedAs('manualFailed')),
})

/**
 * The list can filter by who passed an application and by the code it was refused under. An application
 * that was judged again counts for its rules on both days.
 */
const PASSED_BY: Readonly<Record<string, Rows>> = {
  auto: decidedAs('autoPassed'),
  manual: decidedAs('manualPassed'),
}
function ofRoute(row: Group, context: ListContext): Rows | WhyNot {
  const rows = PASSED_BY[row.key ?? '']
  return rows === undefined ? 'events' : byClass(rows)(row, context)
}
function ofRouteOrCode(row: Group, context: ListContext, by: string): Rows | WhyNot {
  return by === 'code' ? byClass(refusedFor(row.key ?? ''))(row, context) : ofRoute(row, context)
}

/** An application that is refused is not passed all the same: it is closed. */
function ofRouteOrPassed(row: Group, context: ListContext, by: string): Rows | WhyNot {
  return by === 'code' ? 'none' : ofRoute(row, context)
}

export const RISK_FIGURES = measuresOf<
  ReportRow<typeof riskReport>,
  (typeof RISK_MEASURES)[number]
>(RISK_MEASURES, { hits: ofRouteOrCode, overrides: ofRouteOrPassed })

export const REMIND_FIGURES = measuresOf<
  ReportRow<typeof remindReport>,
  (typeof REMIND_MEASURES)[number]
>(REMIND_MEASURES, {
  openBefore: 'past',
  reminders: 'events',
  robotCalls: 'events',
  remindedPlans: 'past',
  paidBeforeDue: 'past',
})

export const REPAYMENT_FIGURES = measuresOf<
  ReportRow<typeof repaymentReport>,
  (typeof REPAYMENT_MEASURES)[number]
>(REPAYMENT_MEASURES, {
  duePlans: DUE_PLANS,
  dueAmount: DUE_PLANS,
  earlyPlans: plansSettled('early'),
  earlyAmount: 'part',
  onTimePlans: plansSettled('onTime'),
  onTimeAmount: 'part',
  latePlans: plansSettled('late'),
  lateAmount: 'part',
  extendedPlans: EXTENDED_PLANS,
  reducedAmount: 'part',
  writtenOffAmount: 'part',
  openAmount: 'part',
})

export const BUCKET_FIGURES = measuresOf<
  ReportRow<typeof bucketReport>,
  (typeof BUCKET_MEASURES)[number]
>(BUCKET_MEASURES, { cohortPlans: 'past', overduePlans: 'past', overdueAmount: 'past' })

export const ACQUISITION_FIGURES = measuresOf<
  ReportRow<typeof acquisitionTrend>,
  (typeof ACQUISITION_MEASURES)[number]
>(ACQUISITION_MEASURES, {
  ...CUSTOMERS,
  applications: APPLICATIONS,
  approved: decidedAs('autoPassed', 'manualPassed'),
  disbursed: DISBURSED,
})

export const LENDING_FIGURES = measuresOf<
  ReportRow<typeof lendingTrend>,
  (typeof LENDING_MEASURES)[number]
>(LENDING_MEASURES, {
  ...LOANS,
  firstLoans: FIRST_LOANS,
  reLoans: RE_LOANS,
  failedTransfers: 'events',
})

/** A bill does not contain its bucket, so such rows lead nowhere. */
const BILLS_OF_STAGE = ({ bucket }: { bucket?: string | null }) =>
  typeof bucket === 'string' ? 'noFilter' : BILLS

export const RECALL_FIGURES = measuresOf<
  ReportRow<typeof recallTrend>,
  (typeof RECALL_MEASURES)[number]
>(RECALL_MEASURES, {
  bills: BILLS_OF_STAGE,
  collectedAmount: BILLS_OF_STAGE,
  heldAmount: 'past',
  cameAmount: 'past',
})

/** No list contains the number of a loan. */
function unlessByNumber(rows: Rows): (row: Group) => Rows | WhyNot {
  return ({ orderNo }) => (typeof orderNo === 'number' ? 'noFilter' : rows)
}

export const RELOAN_FIGURES = measuresOf<
  ReportRow<typeof reloanReport>,
  (typeof RELOAN_MEASURES)[number]
>(RELOAN_MEASURES, {
  settledLoans: unlessByNumber(SETTLED),
  reborrowed1: unlessByNumber(cameBackWithin(1)),
  reborrowed3: unlessByNumber(cameBackWithin(3)),
  reborrowed7: unlessByNumber(cameBackWithin(7)),
  reborrowed15: unlessByNumber(cameBackWithin(15)),
  reborrowed30: unlessByNumber(cameBackWithin(30)),
  reloanAmount: 'next',
})

export const DELIVERY_FIGURES = measuresOf<
  ReportRow<typeof deliveryReport>,
  (typeof DELIVERY_MEASURES)[number]
>(DELIVERY_MEASURES, {
  ...CUSTOMERS,
  ...LOANS,
  spend: 'entered',
  impressions: 'entered',
  clicks: 'entered',
})
