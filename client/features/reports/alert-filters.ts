/** Filters a limit may keep, by the name in the call of its report. */
import type { ListFilter } from '#client/screen/list/list-filters.ts'
import {
  AGENCY,
  APP,
  CAMPAIGN,
  CHANNEL,
  CUSTOMER_CLASS,
  PRODUCT,
  REVIEWER,
  STAGE,
  TAG,
} from './report-filters.ts'

export const ALERT_FILTERS: Readonly<Record<string, ListFilter>> = {
  appId: APP,
  channelId: CHANNEL,
  productId: PRODUCT,
  customerClass: CUSTOMER_CLASS,
  tag: TAG,
  stageId: STAGE,
  agencyId: AGENCY,
  reviewerId: REVIEWER,
  campaign: CAMPAIGN,
}
