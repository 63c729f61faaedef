/** The person, the language, the filters and further answers, for the functions of a list. */
import { useQueries } from '@tanstack/react-query'
import { currentLanguage } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { permits } from '#client/session/menu.ts'
import { usePage } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import type { FilterKinds, Filters } from '#client/ui/grid/grid-url.ts'
import type { MenuIndex } from '#client/session/menu.ts'
import type { DataOf, Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import { codesOf } from './list-actions.ts'
import type { ListContext, ListRead } from './list-types.ts'

/** Further answers change seldom. */
const READ_AGAIN_MS = 60_000
const WIDE = '(min-width: 1600px)'
const NO_READS: readonly ListRead[] = []

export function useListContext(
  texts: readonly string[],
  chosen: object,
  wanted: readonly ListRead[] = NO_READS,
): ListContext {
  const t = useText(...texts)
  const { user, index } = useSession()
  const may = useMay()
  const isWide = useMedia(WIDE)
  const answers = useQueries({
    queries: wanted.map(({ endpoint, input, when }) => ({
      ...queryOf(endpoint, input as InputOf<Endpoint>, { quiet: true }),
      staleTime: READ_AGAIN_MS,
      enabled: when(user),
    })),
  })
  return {
    t,
    language: currentLanguage(),
    user,
    seesAll: user.scope.kind === 'all',
    isWide,
    filters: <Kinds extends FilterKinds>(kinds: Kinds) =>
      // the address was read by the same kinds
      Object.fromEntries(
        Object.entries(chosen).filter(([name]) => Object.hasOwn(kinds, name)),
      ) as Filters<Kinds>,
    read: <E extends Endpoint>(endpoint: E) =>
      // the query beside the endpoint asked it
      answers[wanted.findIndex((one) => one.endpoint === (endpoint as Endpoint))]?.data as
        | DataOf<E>
        | undefined,
    hasMenu: (name) => index.byName.has(name),
    may,
  }
}

const VIEW = ':view'

/** Whether the page lets the person call an endpoint. */
export function useMay(): ListContext['may'] {
  const { btnPermissions } = usePage()
  const { index } = useSession()
  return (endpoint) => {
    const codes = codesOf(endpoint)
    return isGranted(codes, btnPermissions) || (codes ?? []).some((code) => isSeen(code, index))
  }
}

/** A menu in the session is a permission to view its page, which has no code for that. */
function isSeen(code: string, { byName }: MenuIndex): boolean {
  return code.endsWith(VIEW) && byName.has(code.slice(0, -VIEW.length))
}

export function isGranted(codes: readonly string[] | null, granted: readonly string[]): boolean {
  return codes === null || permits(codes, granted)
}
