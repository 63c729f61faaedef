import { useLocation } from 'wouter'
import { useStore } from '#client/base/store.ts'
import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { addressOf, opener, tabsStore } from './tabs.ts'

/**
 * Returns to the screen a record was opened from, in the state it was left; to its list when that tab
 * is closed, or the record was opened by its address.
 * @param otherwise menu of the list when the address names none, and of a record page that is a menu
 * itself
 */
export function useGoBack(otherwise: string): () => void {
  const [, navigate] = useLocation()
  const { menu, path, tab: key } = usePage()
  const { index } = useSession()
  const tabs = useStore(tabsStore)
  const from = index.byName.get(menu ?? otherwise)
  const page = from?.path === path ? index.byName.get(otherwise) : from
  const own = tabs.find((one) => one.key === key)
  const tab = (own && opener(tabs, own)) ?? tabs.find((one) => one.key === page?.path)
  return () => navigate(tab ? addressOf(tab) : (page?.path ?? '/home_page'))
}
