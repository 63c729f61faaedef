/** What other features may use of announcements. */
import { lazyPart } from '#client/base/load-part.ts'
import { panelAction } from '#client/screen/list/list-actions.ts'
import type { ListAction, PanelTools } from '#client/screen/list/list-types.ts'
import { addAnnouncement } from '#shared/announcements/announcements-api.ts'
import { ROLES } from '#shared/session/roles.ts'
import type { Draft } from './AnnouncementForm.tsx'

// loads the form library
const AnnouncementForm = lazyPart(() =>
  import('./AnnouncementForm.tsx').then((m) => ({ default: m.AnnouncementForm })),
)

const BUILT_IN = ROLES.map(({ mark, name }) => ({ uniqueMark: mark, name }))

/** Announces a row to staff: a form with a draft of it, where the page shows `notice_list:add`. */
export function announceAction<Row>(
  draftOf: (row: Row, tools: PanelTools) => Draft,
): ListAction<Row> {
  return panelAction<Row>({
    id: 'announce',
    endpoint: addAnnouncement,
    text: 'announcements:announce',
    icon: 'notifications',
    panel: (row, tools) => (
      <AnnouncementForm
        announcement={null}
        draft={draftOf(row, tools)}
        roles={BUILT_IN}
        onDone={tools.done}
        onClose={tools.close}
      />
    ),
  })
}
