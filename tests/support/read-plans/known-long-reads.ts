/**
 * Reads that look at many rows, each with its reason. One matches by its name and its table. A line
 * whose read is mended goes.
 */
export interface KnownLongRead {
  read: RegExp
  table: string
  reason: string
}

/** The page and the total of a common value stop early. */
const COMMON = 'one of a few values, most of them common; a rare one costs one scan'
const AT_WORK = 'figures of all that is at work in the scope, which does not grow with the past'
const reads = (pattern: RegExp, tables: string, reason: string): KnownLongRead[] =>
  tables.split(' ').map((table) => ({ read: pattern, table, reason }))

const ORDERS = 'productId|appId|channelId|tags|amountFrom|amountTo|closeType|overdueFrom|overdueTo'

export const KNOWN_LONG_READS: readonly KnownLongRead[] = [
  // no index by place: an allocation writes a hundred thousand of its rows at once
  ...reads(
    /^GET \/collection\/change\/log (with|for)/,
    'case_allocation',
    'walked newest first; the count of a unit with few moves costs one scan',
  ),
  ...reads(
    /^GET \/userInfo\/blacklist\/list( sorted by \S+)? for reviewer$/,
    'blacklist',
    'short beside the customers of a reviewer, whose list it is joined to',
  ),
  ...reads(/^GET \/operateLog\/verify/, 'operate_log', 'proves the chain, slice by slice'),
  ...reads(
    new RegExp(
      `^GET /(order|loan)/list with (${ORDERS}|dueTimeTo|disburseTimeTo|closeTimeTo|outcomeTime(From|To)|vendorCode)=`,
    ),
    'loan_order',
    COMMON,
  ),
  ...reads(
    /^GET \/(order|loan)\/list with againWithin=/,
    'loan_order',
    'reports ask for it with the days on which loans were paid off',
  ),
  ...reads(
    /^GET \/loan\/transfer\/list with (transferType|payState|vendorCode)=/,
    'payout_transfer',
    COMMON,
  ),
  ...reads(/^GET \/loan\/wait\/list/, 'bank_card', 'joined to orders that wait, which are few'),
  ...reads(
    /^GET \/review\/list (all|quality) with (quality|teleCallState|machineState|result|checkedTimeTo)=/,
    'review',
    COMMON,
  ),
  ...reads(/^GET \/userInfo\/list with (channelId|customerClass|creditState)=/, 'customer', COMMON),
  ...reads(/^GET \/userInfo\/list with creditState=/, 'credit_grant', COMMON),
  ...reads(
    /^GET \/userInfo\/blacklist\/list with (ended|name|source)=/,
    'blacklist customer',
    COMMON,
  ),
  ...reads(/^GET \/repay\/plan\/list with (appId|productId)=/, 'loan_order repay_plan', COMMON),
  ...reads(
    /^GET \/repay\/record\/list with (channel|repaymentType|source|reversed)=/,
    'repay_record',
    COMMON,
  ),
  ...reads(/^GET \/repay\/proof\/list with submitter=/, 'repay_proof', COMMON),
  ...reads(/^GET \/collection\/case\/list ended with/, 'collection_case', COMMON),
  ...reads(
    /^GET \/(repay\/\w+|reduce|collection\/case)\/list( \w+)?( sorted by \S+)? for external_supervisor$/,
    'collection_case',
    'what an agency had within ninety days, which all copies of this book are; the past adds nothing',
  ),
  ...reads(/^GET \/collection\/allocation\/desk/, 'blacklist', AT_WORK),
  ...reads(/^GET \/collection\/case\/list \w+ with proofState=/, 'repay_proof', COMMON),
  ...reads(
    /^GET \/collection\/case\/follow\/list with (stageId|contactResult|willingness)=/,
    'follow_up',
    COMMON,
  ),
  ...reads(/^GET \/feedback\/selectFeedbackList with (queue|type|level)=/, 'feedback', COMMON),
  ...reads(/^GET \/marketing\/message\/list with way=/, 'marketing_contact', COMMON),
  ...reads(
    /^GET \/marketing\/record\/list with (segment|result|contactWay|nodeId)=/,
    'tele_record tele_task',
    COMMON,
  ),
  ...reads(
    /^GET \/marketing\/total\/rows followed/,
    'tele_record',
    'asked for a stretch of days, by an index; most follow-ups of the demo are of the last ones',
  ),
]
