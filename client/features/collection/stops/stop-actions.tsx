/** What can be done with stops of collection. */
import type { Text } from '#client/base/use-text.ts'
import { customerPath } from '#client/features/customers/public.tsx'
import { FileButtons, FilesDialog } from '#client/features/files/public.tsx'
import { bulkAction, forRow, linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { ListTools, Question } from '#client/screen/list/list-types.ts'
import { addStop, decideStops, resumeStops, stopFile } from '#shared/collection/stops-api.ts'
import { StopForm } from '../desk/CaseForms.tsx'
import type { StopRow } from '../desk/case-types.ts'
import { ticketPath } from '#shared/tickets/ticket-path.ts'

const NAMES_SHOWN = 8
const REASON = { min: 4, max: 200 }

export const addStopAction = panelAction<null>({
  id: 'add',
  endpoint: addStop,
  text: 'stop.add',
  icon: 'stop',
  panel: (_, { done, close }) => <StopForm userId={null} onDone={done} onClose={close} />,
})

export const filesAction = panelAction<StopRow>({
  id: 'files',
  text: ({ files }, { t }) => t('stop.files', { count: files.length }),
  icon: 'document',
  when: ({ files }) => files.length > 0,
  panel: (row, { t, close }) => <FilesDialog {...filesOf(row, t)} onClose={close} />,
})

export const stopLinks = [
  linkAction<StopRow>({
    id: 'customer',
    menu: 'info',
    text: 'stop.openCustomer',
    icon: 'person',
    // only a viewer of scope all sees a customer without an open case
    when: ({ orderIds }, { user }) => user.scope.kind === 'all' || orderIds.length > 0,
    path: ({ userId }) => customerPath(userId),
  }),
  linkAction<StopRow>({
    id: 'cases',
    menu: 'pedding_list',
    text: 'stop.openCases',
    icon: 'list',
    when: ({ orderIds, state }) => orderIds.length > 0 && state === 'active',
    path: ({ userId }) =>
      `/loaned_management/pedding_list?${new URLSearchParams({ userId, state: 'held' })}`,
  }),
  linkAction<StopRow>({
    id: 'ticket',
    menu: 'loaned_ticket',
    text: 'stop.openTicket',
    icon: 'comment',
    when: ({ ticketId }) => ticketId !== null,
    path: ({ ticketId }) => ticketPath(ticketId ?? '', 'loaned_ticket'),
  }),
]

const approve = bulkAction<typeof decideStops, StopRow>(decideStops, {
  id: 'approve',
  text: 'stop.approve',
  icon: 'tick',
  confirm: (rows, tools) => ({ ...aboutStops('active', rows, tools), intent: 'danger' }),
  input: (stopIds) => ({ stopIds, result: 'active' }),
})

const reject = bulkAction<typeof decideStops, StopRow>(decideStops, {
  id: 'reject',
  text: 'stop.reject',
  icon: 'cross',
  confirm: (rows, tools) => ({ ...aboutStops('rejected', rows, tools), reason: REASON }),
  input: (stopIds, _, reason) => ({ stopIds, result: 'rejected', reason }),
})

const resume = bulkAction<typeof resumeStops, StopRow>(resumeStops, {
  id: 'resume',
  text: 'stop.resume',
  icon: 'play',
  confirm: (rows, tools) => ({ ...aboutStops('resume', rows, tools), reason: REASON }),
  input: (stopIds, _, remark) => ({ stopIds, remark }),
})

export const decisions = [approve, reject, resume]

const decides = {
  when: ({ state }: StopRow) => state === 'pending',
  disabledReason: ({ applyById }: StopRow, { t, user }: ListTools) =>
    applyById === user.userId ? t('stop.notOwn') : null,
}
export const decideRow = [
  forRow(approve, decides),
  forRow(reject, decides),
  forRow(resume, { when: ({ state }) => state === 'active' }),
]

/** The person who decides sees the attached files. */
function aboutStops(
  kind: 'active' | 'rejected' | 'resume',
  rows: readonly StopRow[],
  { t }: ListTools,
): Question {
  const [first] = rows
  return {
    title: t(`stop.ask.${kind}`),
    body: (
      <>
        <p>
          {rows
            .slice(0, NAMES_SHOWN)
            .map(({ userName }) => userName)
            .join(', ')}
        </p>
        {kind === 'active' && <p>{t('stop.consequence')}</p>}
        {first && rows.length === 1 && <FileButtons {...filesOf(first, t)} />}
      </>
    ),
  }
}

function filesOf({ stopId, userName, files }: StopRow, t: Text) {
  return {
    title: t('stop.filesOf', { stopId, userName }),
    files,
    source: { endpoint: stopFile, of: { stopId } },
  }
}
