/** One customer: the header, and tabs with the sections that the role may see. */
import '../customers.css'
import { type ReactNode, useEffect, useState } from 'react'
import { lazyPart } from '#client/base/load-part.ts'
import { useConnection } from '#client/live/use-connection.ts'
import { setEditing, useWatch } from '#client/live/watch.ts'
import { usePermission } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { DetailPage } from '#client/screen/detail/DetailPage.tsx'
import { useShortcuts } from '#client/ui/frame/shortcuts.ts'
import { editContact } from '#shared/customers/customer-detail-api.ts'
import { addToBlacklist } from '#shared/customers/customer-list-api.ts'
import { type BlacklistRequest, BlacklistQuestions } from '../BlacklistQuestions.tsx'
import { useCustomerText } from '#client/features/customers/use-customer-text.ts'
import { CustomerHead, type Leave } from './CustomerHead.tsx'
import { CustomerTabs } from './CustomerTabs.tsx'
import { PROFILE_SECTIONS } from './ProfileTab.tsx'
import { useCustomer, useCustomerRefetch } from './use-customer.ts'

// loads the form library
const EditContact = lazyPart(() =>
  import('./EditContact.tsx').then((m) => ({ default: m.EditContact })),
)

export function CustomerPage({
  userId,
  leave,
  isWindow = false,
}: {
  userId: string
  leave: Leave
  isWindow?: boolean
}): ReactNode {
  const t = useCustomerText()
  const { user } = useSession()
  const { canMutate } = useConnection()
  const now = useCustomer(userId, PROFILE_SECTIONS)
  const reread = useCustomerRefetch(userId)
  const { detail } = now
  const others = useWatch('customer', detail?.userId).filter(
    (member) => member.userId !== user.userId,
  )
  const mayEdit = usePermission(editContact.access)
  const mayBlacklist = usePermission(addToBlacklist.access)
  const [editing, setEditingForm] = useState(false)
  const [confirming, setConfirming] = useState<BlacklistRequest | null>(null)
  const isBusy = editing || confirming !== null
  const confirmBlacklist = () =>
    detail && setConfirming({ kind: 'blacklist', id: userId, name: detail.name })

  useShortcuts('screen', [
    {
      id: 'customer-back',
      code: 'Escape',
      labelKey: 'ui:detail.back',
      run: leave.run,
      when: () => !isBusy,
    },
    ...(mayEdit
      ? [
          {
            id: 'customer-edit',
            code: 'KeyE',
            labelKey: 'customers:keys.edit',
            run: () => setEditingForm(true),
            when: () => !isBusy && detail !== undefined && canMutate,
          },
        ]
      : []),
    ...(mayBlacklist
      ? [
          {
            id: 'customer-blacklist',
            code: 'KeyB',
            labelKey: 'customers:keys.blacklist',
            run: confirmBlacklist,
            when: () => !isBusy && detail?.blacklisted === false && canMutate,
          },
        ]
      : []),
  ])
  useEffect(() => {
    setEditing('customer', userId, isBusy)
  }, [userId, isBusy])

  return (
    <DetailPage reading={now} missing={t('detail.missing')} id={userId} leave={leave}>
      {(detail) => (
        <>
          <CustomerHead
            detail={detail}
            others={others}
            leave={leave}
            isWindow={isWindow}
            onEdit={() => setEditingForm(true)}
            onBlacklist={confirmBlacklist}
            onTicket={reread}
          />
          <CustomerTabs
            detail={detail}
            onEndBlacklist={(entry) =>
              setConfirming({ kind: 'unblacklist', id: entry.blackId, name: entry.userName })
            }
          />
          {editing ? (
            <EditContact detail={detail} onDone={reread} onClose={() => setEditingForm(false)} />
          ) : null}
          <BlacklistQuestions
            request={confirming}
            onDone={reread}
            onClose={() => setConfirming(null)}
          />
        </>
      )}
    </DetailPage>
  )
}
