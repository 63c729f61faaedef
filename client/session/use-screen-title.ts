import { useServerText } from './server-text.ts'
import { useSession } from './session-store.ts'

/** Titles of the user's screens by their menu entry; null for one outside of their menu. */
export function useScreenTitle(): (menu: string | null) => string | null {
  const { index } = useSession()
  const text = useServerText()
  return (menu) => {
    const page = menu === null ? undefined : index.byName.get(menu)
    return page === undefined ? null : text(page.title, page.name)
  }
}
