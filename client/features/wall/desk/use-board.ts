/**
 * The board of a scope: read once, then updated by ticks; read again each minute, which keeps the
 * scope ticking.
 */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLive } from '#client/live/use-live.ts'
import { useSilentWatch } from '#client/live/watch.ts'
import { call } from '#client/session/call.ts'
import { queryClient, queryKeyOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isOf } from '#shared/kernel/live.ts'
import { applyTick } from '#shared/wall/board-tick.ts'
import { type BoardFigures, readBoard } from '#shared/wall/wall-api.ts'
import { BOARD_TICK } from '#shared/wall/wall-live.ts'

const READ_AGAIN_MS = 60_000

export function useBoard(input: InputOf<typeof readBoard>): UseQueryResult<BoardFigures> {
  const { user } = useSession()
  const key = queryKeyOf(readBoard, input)
  const board = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const figures = await call(readBoard, input, { quiet: true, signal })
      // a tick may be newer than an answer that was on its way
      const shown = queryClient.getQueryData<BoardFigures>(key)
      return shown !== undefined && shown.asOf > figures.asOf ? shown : figures
    },
    placeholderData: keepPreviousData,
    refetchInterval: READ_AGAIN_MS,
  })
  const unit = input.agencyId === undefined ? ownUnit(user) : `agency.${input.agencyId}`
  const scope = input.stageId === undefined ? unit : `${unit}.${input.stageId}`
  useSilentWatch('board', scope)
  useLive([BOARD_TICK.type], (events) => {
    for (const event of events)
      if (isOf(event, BOARD_TICK) && watchKey(event.data.scope) === scope)
        queryClient.setQueryData<BoardFigures>(
          key,
          (figures) => figures && applyTick(figures, event.data),
        )
  })
  return board
}

/** `department:D101/M1` as a watch key: `department.D101.M1`. */
function watchKey(scope: string): string {
  return scope.replaceAll(/[:/]/g, '.')
}

function ownUnit({
  userId,
  scope,
}: {
  userId: string
  scope: {
    kind: string
    agencyId: string | null
    departmentId: string | null
    groupId: string | null
  }
}): string {
  switch (scope.kind) {
    case 'all':
      return 'all'
    case 'agency':
      return `agency.${scope.agencyId ?? ''}`
    case 'department':
      return `department.${scope.departmentId ?? ''}`
    case 'group':
      return `group.${scope.groupId ?? ''}`
    default:
      return `own.${userId}`
  }
}
