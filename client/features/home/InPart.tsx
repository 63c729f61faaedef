import type { ReactNode } from 'react'
import { useServerText } from '#client/session/server-text.ts'
import { useSession } from '#client/session/session-store.ts'

/** The name of work or of a figure, with its screen where the person has the same in several. */
export function InPart({ name, part }: { name: string; part: string | null }): ReactNode {
  const { index } = useSession()
  const text = useServerText()
  const page = part === null ? undefined : index.byName.get(part)
  return page === undefined ? name : `${name} · ${text(page.title, page.name)}`
}
