/**
 * Columns of the ticket lists. Each tab shows those its work needs; the columns menu offers the
 * rest.
 */
import type { GridColumn } from '#client/ui/grid/column-types.ts'
import {
  idColumn,
  integerColumn,
  maskedColumn,
  stageColumn,
  statusColumn,
  textColumn,
  timeColumn,
  wordColumn,
  yesNoColumn,
} from '#client/ui/grid/grid-columns.ts'
import { uiNow } from '#client/ui/value/clock.ts'
import { TICKET_TABS, ticketSorts } from '#shared/tickets/ticket-sets.ts'
import { TICKET_MENUS, type TicketMenu, type TicketRow, type TicketTab } from '../ticket-types.ts'
import { slaText } from '../sla-words.ts'
import {
  followTone,
  handoverTone,
  levelTone,
  progressTone,
  typeTone,
  word,
} from '../ticket-words.ts'
import { ProcessorCell, SlaCell } from './ticket-cells.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

type Column = GridColumn<TicketRow>
const title = (name: string) => `tickets:col.${name}`

const ALL = (menu: TicketMenu): readonly Column[] => [
  {
    id: 'due',
    title: title('due'),
    width: 162,
    exportKind: 'none',
    sort: 'dueTime',
    value: (row) => `${row.dueTime} ${row.progress}`,
    text: (row, { t }) => slaText(row, t, uiNow())?.text ?? '',
    renderer: SlaCell,
  },
  idColumn<TicketRow>({
    id: 'feedbackId',
    title: title('ticket'),
    width: 112,
    sort: 'feedbackId',
    href: (row) => ticketPath(row.feedbackId, menu),
  }),
  textColumn<TicketRow>({ id: 'userName', title: title('customer'), width: 140 }),
  maskedColumn<TicketRow>({ id: 'phone', title: title('phone'), width: 108 }),
  textColumn<TicketRow>({ id: 'orderId', title: title('order'), width: 112 }),
  statusColumn<TicketRow>({
    id: 'type',
    title: title('type'),
    width: 118,
    sort: 'type',
    word: word('type'),
    tone: typeTone,
  }),
  textColumn<TicketRow>({
    id: 'content',
    title: title('content'),
    width: menu === 'loaned_ticket' ? 240 : 330,
  }),
  wordColumn<TicketRow>({ id: 'queue', title: title('queue'), width: 118, word: word('queue') }),
  textColumn<TicketRow>({ id: 'departmentName', title: title('department'), width: 140 }),
  {
    id: 'processorName',
    title: title('processor'),
    width: 148,
    sort: 'processorName',
    value: (row) => row.processorName,
    text: (row) => row.processorName ?? '',
    tip: (row) => row.processorName ?? '',
    renderer: ProcessorCell,
  },
  statusColumn<TicketRow>({
    id: 'progress',
    title: title('progress'),
    width: 130,
    sort: 'progress',
    word: word('progress'),
    tone: progressTone,
  }),
  statusColumn<TicketRow>({
    id: 'followState',
    title: title('follow'),
    width: 132,
    sort: 'followState',
    word: word('follow'),
    tone: followTone,
  }),
  statusColumn<TicketRow>({
    id: 'handoverState',
    title: title('handover'),
    width: 148,
    word: word('handover'),
    tone: handoverTone,
  }),
  textColumn<TicketRow>({ id: 'handoverFrom', title: title('handoverFrom'), width: 132 }),
  textColumn<TicketRow>({ id: 'handoverTo', title: title('handoverTo'), width: 132 }),
  textColumn<TicketRow>({ id: 'handoverReason', title: title('handoverReason'), width: 200 }),
  statusColumn<TicketRow>({
    id: 'level',
    title: title('level'),
    width: 104,
    sort: 'level',
    codes: [1, 2, 3],
    value: (row) => (row.level === 0 ? null : row.level),
    word: (level, { t }) => t('tickets:level', { level }),
    tone: levelTone,
  }),
  integerColumn<TicketRow>({
    id: 'evaluation',
    title: title('evaluation'),
    width: 84,
    sort: 'evaluation',
    text: (row, { t }) =>
      row.evaluation === null ? '' : t('tickets:evaluation', { stars: row.evaluation }),
  }),
  timeColumn<TicketRow>({ id: 'createTime', title: title('createTime'), sort: 'createTime' }),
  timeColumn<TicketRow>({ id: 'firstReplyTime', title: title('firstReplyTime') }),
  timeColumn<TicketRow>({ id: 'dueTime', title: title('dueTime'), sort: 'dueTime' }),
  timeColumn<TicketRow>({ id: 'finishTime', title: title('finishTime'), sort: 'finishTime' }),
  wordColumn<TicketRow>({
    id: 'contactWay',
    title: title('contactWay'),
    width: 108,
    word: word('way'),
  }),
  textColumn<TicketRow>({ id: 'caseId', title: title('case'), width: 104 }),
  stageColumn<TicketRow>({ id: 'stageId', title: title('stage'), width: 68 }),
  textColumn<TicketRow>({ id: 'collectorName', title: title('collector'), width: 132 }),
  yesNoColumn<TicketRow>({ id: 'held', title: title('held'), width: 116 }),
]

/** Left out beside an open ticket on a narrow screen, because the ticket shows the same. */
const DOCKED: Record<TicketTab, readonly string[]> = {
  queue: ['due', 'feedbackId', 'type', 'userName', 'progress', 'processorName'],
  mine: ['due', 'feedbackId', 'type', 'userName', 'followState', 'level', 'handoverState'],
  handover: ['due', 'feedbackId', 'type', 'handoverFrom', 'handoverTo', 'handoverReason'],
  finished: ['feedbackId', 'type', 'userName', 'processorName', 'finishTime', 'evaluation'],
  all: ['feedbackId', 'type', 'userName', 'progress', 'processorName', 'due'],
}
const LOANED = ['caseId', 'stageId', 'collectorName', 'held']
/** In the order shown; wide windows also get the second list. */
const SHOWN: Record<TicketTab, readonly [readonly string[], readonly string[]]> = {
  queue: [
    ['due', 'feedbackId', 'type', 'userName', 'content', 'progress', 'processorName', 'level'],
    ['followState', 'orderId', 'phone', 'createTime'],
  ],
  mine: [
    ['due', 'feedbackId', 'type', 'userName', 'content', 'followState', 'level', 'handoverState'],
    ['orderId', 'phone', 'createTime', 'firstReplyTime'],
  ],
  handover: [
    ['due', 'feedbackId', 'type', 'userName', 'handoverFrom', 'handoverTo', 'handoverReason'],
    ['content', 'level', 'createTime'],
  ],
  finished: [
    ['feedbackId', 'type', 'userName', 'content', 'processorName', 'finishTime', 'evaluation'],
    ['followState', 'orderId', 'createTime', 'firstReplyTime'],
  ],
  all: [
    [
      'feedbackId',
      'type',
      'userName',
      'content',
      'queue',
      'progress',
      'processorName',
      'due',
      'evaluation',
    ],
    ['followState', 'level', 'orderId', 'phone', 'createTime'],
  ],
}

type Room = 'narrow' | 'wide' | 'docked'

function columnsOf(menu: TicketMenu, tab: TicketTab, room: Room): readonly Column[] {
  const [narrowOnes, wideOnes] = SHOWN[tab]
  const wide = room === 'wide'
  const shown =
    room === 'docked'
      ? DOCKED[tab]
      : [
          ...narrowOnes,
          ...(menu === 'loaned_ticket' && tab !== 'handover'
            ? wide
              ? LOANED
              : ['stageId', 'held']
            : []),
          ...(wide ? wideOnes : []),
        ]
  const known = ALL(menu).filter((column) =>
    menu === 'operation_ticket'
      ? column.id !== 'queue' && !LOANED.includes(column.id)
      : menu === 'loaned_ticket'
        ? column.id !== 'queue'
        : !LOANED.includes(column.id),
  )
  const sorts = ticketSorts(tab)
  const sortable = known.map((column) =>
    column.sort === undefined || sorts.includes(column.sort)
      ? column
      : { ...column, sort: undefined },
  )
  const first = shown.flatMap((id) => sortable.find((column) => column.id === id) ?? [])
  return [
    ...first,
    ...sortable
      .filter((column) => !shown.includes(column.id))
      .map((column) => ({ ...column, hidden: true })),
  ]
}

export const TICKET_COLUMNS = Object.fromEntries(
  TICKET_MENUS.map((menu) => [
    menu,
    Object.fromEntries(
      TICKET_TABS.map((tab) => [
        tab,
        {
          narrow: columnsOf(menu, tab, 'narrow'),
          wide: columnsOf(menu, tab, 'wide'),
          docked: columnsOf(menu, tab, 'docked'),
        },
      ]),
    ),
  ]),
) as Record<TicketMenu, Record<TicketTab, Record<Room, readonly Column[]>>>
