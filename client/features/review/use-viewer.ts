import { useMemo } from 'react'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import type { Viewer } from './review-types.ts'
import { seesOf } from './review-words.ts'

/** The current user with the permission codes of the page. */
export function useViewer(): Viewer {
  const { user } = useSession()
  const { btnPermissions } = usePage()
  return useMemo(
    () => ({
      userId: user.userId,
      codes: btnPermissions,
      sees: seesOf(user.scope.kind, btnPermissions),
    }),
    [user.userId, user.scope.kind, btnPermissions],
  )
}
