/** What the actions of a list may do. */
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useConnection } from '#client/live/use-connection.ts'
import { useBulk } from '#client/screen/use-bulk.tsx'
import { showMessage } from '#client/session/messages.ts'
import { queryClient, queryKeyOf, useSends } from '#client/session/query.ts'
import type { ListContext, ListTools } from './list-types.ts'

interface ToolsWanted extends Pick<ListTools, 'setFilters' | 'takeRow' | 'refetch' | 'idOf'> {
  context: ListContext
  menu: string
  unselect: () => void
}

export interface ListToolsNow {
  tools: ListTools
  /** Rows that a bulk action refused, while there are any. */
  refused: ReactNode
  /** Something was changed. */
  done: (ofMany: boolean) => void
}

export function useListTools({ context, menu, unselect, ...list }: ToolsWanted): ListToolsNow {
  const [, navigate] = useLocation()
  const { reason: offline } = useConnection()
  const send = useSends()
  const done = (ofMany: boolean) => {
    if (ofMany) unselect()
    list.refetch()
  }
  const { run, refused } = useBulk({ key: menu, onDone: () => done(true) })
  const tools: ListTools = {
    ...context,
    ...list,
    offline,
    goTo: (path, newWindow = false) =>
      newWindow ? void window.open(path, '_blank', 'noopener') : navigate(path),
    readAgain: (endpoint) => void queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
    send,
    sendBulk: run,
    say: (message, intent = 'success') => void showMessage({ intent, message, key: menu }),
  }
  return { tools, refused, done }
}
