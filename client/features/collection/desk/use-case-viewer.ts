import { useMemo } from 'react'
import { useSession } from '#client/session/session-store.ts'
import type { CaseViewer } from './case-types.ts'

/** The viewer with their place in the units. */
export function useCaseViewer(): CaseViewer {
  const { user } = useSession()
  return useMemo(
    () => ({
      userId: user.userId,
      scope: user.scope.kind,
      agencyId: user.scope.agencyId ?? null,
      departmentId: user.scope.departmentId ?? null,
      groupId: user.scope.groupId ?? null,
    }),
    [user],
  )
}
