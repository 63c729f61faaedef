import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import { usePermission } from '#client/session/page.tsx'
import { ActionButton } from '#client/ui/frame/ActionButton.tsx'
import { callBorrower, type caseContacts } from '#shared/collection/cases-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

/** The declared contacts of the borrower; those who may be called have a button. */
export function CaseContacts({
  contacts,
  dialRefused,
  onDial,
}: {
  contacts: DataOf<typeof caseContacts>
  dialRefused: string | null
  onDial: (contactId: string) => Promise<void>
}): ReactNode {
  const t = useText('collection')
  const mayCall = usePermission(callBorrower.access)
  return (
    <ul className="case-contacts">
      {contacts.map((contact) => (
        <li key={contact.contactId}>
          <span>{t(`relation.${contact.relation}`, { defaultValue: contact.relation })}</span>{' '}
          <strong>{contact.name}</strong> <span className="tabular">{contact.phone}</span>
          {contact.callable && contact.relation !== 'self' && mayCall && (
            <ActionButton
              size="small"
              icon="phone"
              text={t('desk.call')}
              disabledReason={dialRefused}
              onClick={() => onDial(contact.contactId)}
            />
          )}
        </li>
      ))}
      {contacts.length === 1 && <li className="case-note">{t('desk.onlyBorrower')}</li>}
    </ul>
  )
}
