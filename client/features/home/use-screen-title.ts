import { useServerText } from '#client/session/server-text.ts'
import { useSession } from '#client/session/session-store.ts'

/** Titles of screens by their menu entry: of the work and figures that a person has in several. */
export function useScreenTitle(): (menu: string | null) => string | null {
  const { index } = useSession()
  const text = useServerText()
  return (menu) => {
    const page = menu === null ? undefined : index.byName.get(menu)
    return page === undefined ? null : text(page.title, page.name)
  }
}
