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
  /** Reads the list, and shows what changed. */
  show: () => void
}

export interface ListToolsNow {
  tools: ListTools
  /** The rows of the last bulk action, while they are shown. */
  drawer: ReactNode
  /** Something was changed. */
  done: (ofMany: boolean) => void
}

export function useListTools({
  context,
  menu,
  unselect,
  show,
  ...list
}: ToolsWanted): ListToolsNow {
  const [, navigate] = useLocation()
  const { reason: offline } = useConnection()
  const send = useSends()
  const done = (ofMany: boolean) => {
    if (ofMany) unselect()
    show()
  }
  const { run, drawer } = useBulk({ key: menu, onDone: () => done(true) })
  const tools: ListTools = {
    ...context,
    ...list,
    offline,
    goTo: (path, newWindow = false) =>
      newWindow ? void window.open(path, '_blank', 'noopener') : navigate(path),
    readAgain: (endpoint) => void queryClient.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
    send,
    sendBulk: run,
    notify: (message, intent = 'success') => void showMessage({ intent, message, key: menu }),
  }
  return { tools, drawer, done }
}
