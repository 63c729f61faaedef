/**
 * The tree of the allocation desk: agencies, departments, groups, collectors. The figures of a unit
 * are the sums of its people. Pure.
 */
import { groupBy } from '#client/base/group-by.ts'
import type { allocationDesk } from '#shared/collection/allocation-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'

export type Desk = DataOf<typeof allocationDesk>
export type Line = Desk['lines'][number]
export type Work = Desk['work'][number]

export interface TreeRow {
  id: string
  /** Null for an agency. */
  parentId: string | null
  level: 1 | 2 | 3 | 4
  kind: 'agency' | 'department' | 'group' | 'collector'
  name: string
  weight: number | null
  onDuty: number
  people: number
  now: number
  gets: number
  after: number
  capacity: number
  /** Paise. */
  amountAfter: number
  /** Open cases contacted today. */
  contacted: number
  /** Promises decided in the last seven days, and how many of them were kept. */
  judged: number
  kept: number
  /** The last contact of today, ISO 8601; null = none yet. */
  lastTime: string | null
  flags: readonly string[]
}

/** @param lines of the desk, or of a plan @param work of the desk */
export function treeOf(
  agencies: Desk['agencies'],
  lines: readonly Line[],
  work: readonly Work[],
): TreeRow[] {
  const rows: TreeRow[] = []
  const workOf = new Map(work.map((one) => [one.collectorId, one]))
  const sum = (head: RowHead, of: readonly Line[]): TreeRow => ({
    ...loadOf(head, of),
    ...workTotal(of.flatMap((line) => workOf.get(line.collectorId) ?? [])),
  })
  for (const agency of agencies) {
    const own = lines.filter((line) => line.agencyId === agency.agencyId)
    rows.push(
      sum(
        {
          id: agency.agencyId,
          parentId: null,
          level: 1,
          kind: 'agency',
          name: agency.name,
          weight: agency.weight,
          flags: agency.status === 'locked' ? ['locked'] : [],
        },
        own,
      ),
    )
    for (const [departmentId, inDepartment] of groupBy(own, (line) => line.departmentId ?? '')) {
      const department = `${agency.agencyId}/${departmentId}`
      rows.push(
        sum(
          {
            id: department,
            parentId: agency.agencyId,
            level: 2,
            kind: 'department',
            name: inDepartment[0]?.departmentName ?? '—',
            weight: null,
            flags: [],
          },
          inDepartment,
        ),
      )
      for (const [groupId, inGroup] of groupBy(inDepartment, (line) => line.groupId ?? '')) {
        const group = `${department}/${groupId}`
        rows.push(
          sum(
            {
              id: group,
              parentId: department,
              level: 3,
              kind: 'group',
              name: inGroup[0]?.groupName ?? '—',
              weight: null,
              flags: [],
            },
            inGroup,
          ),
        )
        for (const line of inGroup)
          rows.push(
            sum(
              {
                id: line.collectorId,
                parentId: group,
                level: 4,
                kind: 'collector',
                name: line.collectorName,
                weight: line.weight,
                flags: line.flags,
              },
              [line],
            ),
          )
      }
    }
  }
  return rows
}

/** Visible rows: none below a closed unit. */
export function shownRows(rows: readonly TreeRow[], closed: ReadonlySet<string>): TreeRow[] {
  const hidden = new Set<string>()
  return rows.filter((row) => {
    const isHidden = row.parentId !== null && (hidden.has(row.parentId) || closed.has(row.parentId))
    if (isHidden) hidden.add(row.id)
    return !isHidden
  })
}

/** The largest load of each kind of row, what a plan adds included: what bars are scaled to. */
export function largestLoads(rows: readonly TreeRow[]): Map<TreeRow['kind'], number> {
  const most = new Map<TreeRow['kind'], number>()
  for (const { kind, now, after } of rows) most.set(kind, Math.max(most.get(kind) ?? 1, now, after))
  return most
}

type RowHead = Pick<TreeRow, 'id' | 'parentId' | 'level' | 'kind' | 'name' | 'weight' | 'flags'>
type RowWork = Pick<TreeRow, 'contacted' | 'judged' | 'kept' | 'lastTime'>

function workTotal(work: readonly Work[]): RowWork {
  const total: RowWork = { contacted: 0, judged: 0, kept: 0, lastTime: null }
  for (const { contacted, judged, kept, lastTime } of work) {
    total.contacted += contacted
    total.judged += judged
    total.kept += kept
    if (lastTime !== null && (total.lastTime === null || lastTime > total.lastTime))
      total.lastTime = lastTime
  }
  return total
}

function loadOf(head: RowHead, lines: readonly Line[]): Omit<TreeRow, keyof RowWork> {
  const total = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0)
  return {
    ...head,
    people: lines.length,
    onDuty: lines.filter((line) => line.onDuty).length,
    now: total((line) => line.now),
    gets: total((line) => line.gets),
    after: total((line) => line.after),
    capacity: total((line) => line.capacity),
    amountAfter: total((line) => line.amountAfter),
  }
}

/** A typed weight as a whole per cent from 0 to 100. */
export function clampWeight(weight: number): number {
  return Math.max(0, Math.min(100, Math.round(weight)))
}
