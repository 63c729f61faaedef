/** What can be done with lines. */
import { lazyPart } from '#client/base/load-part.ts'
import { bulkAction, callAction, forRow, panelAction } from '#client/screen/list/list-actions.ts'
import {
  addLine,
  bindSeat,
  editLine,
  LINE_STATES,
  setLineStatus,
} from '#shared/system/lines-api.ts'
import type { Line } from './line-types.ts'

// Bring the form library, which the list itself does not need.
const LineForm = lazyPart(() => import('./LineForms.tsx').then((m) => ({ default: m.LineForm })))
const BindForm = lazyPart(() => import('./LineForms.tsx').then((m) => ({ default: m.BindForm })))

export const addLineAction = panelAction<null>({
  id: 'add',
  endpoint: addLine,
  text: 'line.add',
  panel: (_, { done, close }) => <LineForm line={null} onDone={done} onClose={close} />,
})

export const editLineAction = panelAction<Line>({
  id: 'edit',
  endpoint: editLine,
  text: 'edit',
  icon: 'edit',
  panel: (line, { done, close }) => <LineForm line={line} onDone={done} onClose={close} />,
})

export const bindAction = panelAction<Line>({
  id: 'bind',
  endpoint: bindSeat,
  text: 'line.bind',
  icon: 'person',
  disabledReason: ({ status, seatNumber }, { t }) =>
    status !== 'enabled' ? t('line.isOff') : seatNumber === null ? t('line.noSeat') : null,
  panel: (line, { done, close }) => <BindForm line={line} onDone={done} onClose={close} />,
})

export const unbindAction = callAction(bindSeat, {
  id: 'unbind',
  text: 'line.unbind',
  icon: 'undo',
  when: ({ boundUserId }: Line) => boundUserId !== null,
  confirm: ({ number, boundName }, { t }) => ({
    title: t('line.askUnbind', { number }),
    intent: 'warning',
    count: 1,
    body: <p>{t('line.unbindMeans', { name: boundName ?? '' })}</p>,
  }),
  input: ({ lineId, version }) => ({ lineId, version }),
  done: 'saved',
})

const switchTo = (status: (typeof LINE_STATES)[number]) =>
  bulkAction<typeof setLineStatus, Line>(setLineStatus, {
    id: status,
    text: `line.to.${status}`,
    confirm: (lines, { t }) => ({
      title: t(`line.ask.${status}`, { number: lines.length === 1 ? lines[0]?.number : '' }),
      intent: status === 'enabled' ? 'primary' : 'warning',
    }),
    input: (lineIds) => ({ lineIds, status }),
  })

export const switchLines = LINE_STATES.map(switchTo)

const ICONS = { enabled: 'play', disabled: 'disable', blocked: 'ban-circle' } as const
const [first, second] = LINE_STATES

export const switchRow = LINE_STATES.map((status) =>
  forRow(switchTo(status), {
    icon: ICONS[status],
    when: (line) => line.status !== status,
    separated: (line) => status === (line.status === first ? second : first),
    disabledReason: ({ boundUserId, boundName }, { t }) =>
      status !== 'enabled' && boundUserId !== null
        ? t('line.inUse', { name: boundName ?? '' })
        : null,
  }),
)
