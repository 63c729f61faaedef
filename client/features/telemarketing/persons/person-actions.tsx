/** What can be done with telemarketers. */
import type { ReactNode } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { bulkAction, forRow, panelAction } from '#client/screen/list/list-actions.ts'
import type { PanelTools } from '#client/screen/list/list-types.ts'
import {
  addPerson,
  editPerson,
  openAllocation,
  personOptions,
  setPersonStatus,
} from '#shared/telemarketing/person-api.ts'
import type { TelePerson } from './person-types.ts'

const PersonForm = lazyPart(() =>
  import('./PersonForm.tsx').then((m) => ({ default: m.PersonForm })),
)
const NAMES_SHOWN = 8

function personForm(person: TelePerson | null, { read, done, close }: PanelTools): ReactNode {
  return (
    <PersonForm
      person={person}
      accounts={read(personOptions)?.accounts ?? []}
      onDone={done}
      onClose={close}
    />
  )
}

export const addAction = panelAction<null>({
  id: 'add',
  endpoint: addPerson,
  text: 'person.add',
  icon: 'new-person',
  panel: personForm,
})

export const editAction = panelAction<TelePerson>({
  id: 'edit',
  endpoint: editPerson,
  text: 'person.editShort',
  icon: 'edit',
  panel: personForm,
})

function namesOf(people: readonly TelePerson[]): string {
  return people
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => name)
    .join(', ')
}

export const allocationOfMany = [true, false].map((open) =>
  bulkAction<typeof openAllocation, TelePerson>(openAllocation, {
    id: open ? 'open' : 'close',
    text: open ? 'person.open' : 'person.close',
    icon: open ? 'play' : 'pause',
    confirm: (people, { t }) => ({
      title: t(open ? 'person.askOpen' : 'person.askClose'),
      intent: open ? 'primary' : 'warning',
      body: (
        <>
          <p>{namesOf(people)}</p>
          {!open && <p>{t('person.closedMeans')}</p>}
        </>
      ),
    }),
    input: (userIds) => ({ userIds, open }),
  }),
)

export const allocationRow = allocationOfMany.map((action, n) =>
  forRow(action, { when: ({ allocationFlag }) => allocationFlag === (n === 1) }),
)

export const statusOfMany = (['normal', 'disabled'] as const).map((status) =>
  bulkAction<typeof setPersonStatus, TelePerson>(setPersonStatus, {
    id: status,
    text: `person.status.${status}`,
    icon: status === 'normal' ? 'confirm' : 'disable',
    intent: status === 'normal' ? 'primary' : 'danger',
    confirm: (people, { t }) => ({
      title: t(`person.askStatus.${status}`),
      body: (
        <>
          <p>{namesOf(people)}</p>
          {status === 'disabled' && <p>{t('person.offMeans')}</p>}
        </>
      ),
    }),
    input: (userIds) => ({ userIds, status }),
  }),
)

export const statusRow = statusOfMany.map((action, n) =>
  forRow(action, {
    separated: true,
    when: ({ status }) => (status === 'normal') === (n === 1),
    disabledReason: ({ userId }, { t, user }) =>
      userId === user.userId ? t('person.notYourself') : null,
  }),
)
