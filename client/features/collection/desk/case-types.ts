import type {
  caseDetail,
  deskFigures,
  listCases,
  listFollows,
} from '#shared/collection/cases-api.ts'
import type { listStops } from '#shared/collection/stops-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

export type CaseRow = DataOf<typeof listCases>['rows'][number]
export type CaseDetail = DataOf<typeof caseDetail>
export type FollowRow = DataOf<typeof listFollows>['rows'][number]
export type StopRow = DataOf<typeof listStops>['rows'][number]
export type DeskFigures = DataOf<typeof deskFigures>
export type CaseTab = 'toAllocate' | 'toFollow' | 'ended'

/** The viewer, as needed to decide what a live event means for their list. */
export interface CaseViewer {
  userId: string
  scope: 'all' | 'agency' | 'department' | 'group' | 'own' | 'queue'
  agencyId: string | null
  departmentId: string | null
  groupId: string | null
}
