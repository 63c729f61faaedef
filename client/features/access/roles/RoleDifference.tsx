/**
 * What a role edit changes: the role's fields before and after, and the permissions added and
 * removed.
 */
import './roles.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { approvalDetail } from '#shared/approvals/approval-detail-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { useMenuWord } from '../use-menu-word.ts'

type RequestedRole = NonNullable<DataOf<typeof approvalDetail>['role']>

export function RoleDifference({
  role: { before, after, changes },
}: {
  role: RequestedRole
}): ReactNode {
  const t = useText('access')
  const word = useMenuWord(changes.map(({ title }) => ({ title, children: [] })))
  const scope = (code: string) => word(`access:scope.${code}`, code)
  return (
    <>
      <dl className="role-asked">
        <dt>{t('role.col.name')}</dt>
        <dd>
          {before === null || before.name === after.name
            ? after.name
            : `${before.name} → ${after.name}`}
        </dd>
        <dt>{t('role.col.dataScope')}</dt>
        <dd>
          {before === null || before.dataScope === after.dataScope
            ? scope(after.dataScope)
            : `${scope(before.dataScope)} → ${scope(after.dataScope)}`}
        </dd>
      </dl>
      {changes.length === 0 ? <p className="role-same">{t('role.noDifference')}</p> : null}
      <ul className="role-difference">
        {changes.map(({ added, menu, title, action }) => (
          <li key={`${menu}:${action ?? ''}`} className={added ? 'is-added' : 'is-removed'}>
            <span role="img" aria-label={t(added ? 'role.added' : 'role.removed')}>
              {added ? '+' : '−'}
            </span>{' '}
            {word(title, menu)}
            {action === null ? '' : ` · ${word(`access:action.${action}`, action)}`}
          </li>
        ))}
      </ul>
    </>
  )
}
