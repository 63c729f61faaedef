import { useMemo } from 'react'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import type { Viewer } from './ticket-types.ts'

/** The person at the page, with the codes that count on it. */
export function useViewer(): Viewer {
  const { user } = useSession()
  const { btnPermissions } = usePage()
  return useMemo(
    () => ({
      userId: user.userId,
      departmentId: user.scope.departmentId ?? null,
      codes: new Set(btnPermissions),
    }),
    [user, btnPermissions],
  )
}
