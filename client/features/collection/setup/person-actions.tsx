/** What can be done with collectors. */
import type { ReactNode } from 'react'
import { bulkAction, forRow, linkAction, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import {
  addPerson,
  editPerson,
  listStages,
  openAllocation,
  setPersonStatus,
} from '#shared/collection/setup-api.ts'
import { collectionTree } from '#shared/collection/tree-api.ts'
import { PersonForm } from './PersonForm.tsx'
import type { Person } from './setup-types.ts'
import { StatusForm } from './StatusForm.tsx'

const NAMES_SHOWN = 8

export const addPersonAction = panelAction<null>({
  id: 'add',
  endpoint: addPerson,
  text: 'setup.addPerson',
  icon: 'new-person',
  panel: (_, tools) => personForm(null, tools),
})

export const editPersonAction = panelAction<Person>({
  id: 'edit',
  endpoint: editPerson,
  text: 'setup.edit',
  icon: 'edit',
  panel: personForm,
})

export const casesAction = linkAction<Person>({
  id: 'cases',
  text: 'setup.showCases',
  icon: 'list',
  path: ({ userId }) => `/loaned_management/pedding_list?collectorId=${encodeURIComponent(userId)}`,
})

const ALLOCATION = [
  { open: true, text: 'setup.openAllocation', question: 'setup.askOpen', icon: 'play' },
  { open: false, text: 'setup.closeAllocation', question: 'setup.askClose', icon: 'pause' },
] as const

export const switchAllocation = ALLOCATION.map(({ open, text, question, icon }) =>
  bulkAction<typeof openAllocation, Person>(openAllocation, {
    id: text,
    text,
    icon,
    confirm: (people, { t }) => ({
      title: t(question),
      intent: open ? 'primary' : 'warning',
      body: (
        <>
          <p>
            {people
              .slice(0, NAMES_SHOWN)
              .map(({ name }) => name)
              .join(', ')}
          </p>
          {!open && <p>{t('setup.closedMeans')}</p>}
        </>
      ),
    }),
    input: (userIds) => ({ userIds, open }),
  }),
)

export const allocationRow = switchAllocation.map((action, n) =>
  forRow(action, { when: ({ allocationFlag }) => allocationFlag !== ALLOCATION[n]?.open }),
)

export const statusOfMany = panelAction<readonly Person[]>({
  id: 'status',
  endpoint: setPersonStatus,
  text: 'setup.status',
  icon: 'disable',
  intent: 'danger',
  panel: (people, { read, idOf, sendBulk, close }) => (
    <StatusForm
      people={people}
      tree={read(collectionTree)}
      onSend={(send) => sendBulk(people.map(idOf), send, true)}
      onClose={close}
    />
  ),
})

export const statusRow = forRow(statusOfMany, {
  separated: true,
  disabledReason: ({ userId }, { t, user }) =>
    userId === user.userId ? t('setup.notYourself') : null,
})

function personForm(person: Person | null, { read, done, close }: PanelTools): ReactNode {
  return (
    <PersonForm
      person={person}
      tree={read(collectionTree)}
      stages={read(listStages)?.rows ?? []}
      onDone={done}
      onClose={close}
    />
  )
}
