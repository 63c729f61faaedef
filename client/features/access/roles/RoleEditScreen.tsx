/** The editor of the role in `?roleId=`; without it, of a new role. */
import { useText } from '#client/base/use-text.ts'
import '../access.css'
import './roles.css'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useLive } from '#client/live/use-live.ts'
import { useWatch } from '#client/live/watch.ts'
import { queryOf } from '#client/session/query.ts'
import { ErrorPane } from '#client/ui/feedback/ErrorPane.tsx'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { menuTreeOfRole, roleDetail } from '#shared/access/roles-api.ts'
import { useMenuWord } from '../use-menu-word.ts'
import { RoleEditor } from './RoleEditor.tsx'

export function Screen(): ReactNode {
  const t = useText('access')
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const roleId = query.get('roleId') ?? ''
  const tree = useQuery(queryOf(menuTreeOfRole, {}, { quiet: true }))
  const role = useQuery({
    ...queryOf(roleDetail, { roleId }, { quiet: true }),
    enabled: roleId !== '',
    staleTime: 0,
  })
  const word = useMenuWord(tree.data?.tree)
  useWatch('menu', 'role')
  useLive(['menu.changed'], () => roleId !== '' && void role.refetch())
  const failed = tree.error ?? (roleId === '' ? null : role.error)
  return (
    <div className="access-list">
      <h1 className="visually-hidden">{t('menu.role_edit')}</h1>
      {failed && (
        <ErrorPane
          error={failed}
          onRetry={() => void Promise.all([tree.refetch(), role.refetch()])}
        />
      )}
      {!failed && tree.data && (roleId === '' || role.data) && (
        <Shown
          key={roleId}
          role={roleId === '' ? null : (role.data ?? null)}
          tree={tree.data.tree}
          word={word}
          onSaved={(id) =>
            roleId !== ''
              ? void role.refetch()
              : navigate(
                  id === null
                    ? '/system/role'
                    : `/system/role_edit?roleId=${encodeURIComponent(id)}`,
                  { replace: true },
                )
          }
        />
      )}
    </div>
  )
}

/** Keeps the edited version until a newer one may replace it. */
function Shown({
  role,
  ...rest
}: {
  role: DataOf<typeof roleDetail> | null
  tree: DataOf<typeof menuTreeOfRole>['tree']
  word: (title: string, otherwise: string) => string
  onSaved: (roleId: string | null) => void
}): ReactNode {
  const [shown, setShown] = useState(role)
  return (
    <RoleEditor
      key={shown?.version ?? 0}
      role={shown}
      isOvertaken={role !== null && role.version !== shown?.version}
      onRenew={() => setShown(role)}
      {...rest}
    />
  )
}
