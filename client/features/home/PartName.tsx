import type { ReactNode } from 'react'
import { useServerText } from '#client/session/server-text.ts'
import { useSession } from '#client/session/session-store.ts'

/** The screen of work or of a figure that a person has in several; nothing where there is one. */
export function PartName({ part }: { part: string | null }): ReactNode {
  const { index } = useSession()
  const text = useServerText()
  const page = part === null ? undefined : index.byName.get(part)
  return page === undefined ? null : text(page.title, page.name)
}
