/** The person, the language, the filters and further answers, for the functions of a list. */
import { useQueries } from '@tanstack/react-query'
import { currentLanguage } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { permits } from '#client/session/menu.ts'
import { usePage } from '#client/session/page.tsx'
import { queryOf } from '#client/session/query.ts'
import { useSession } from '#client/session/session-store.ts'
import { useMedia } from '#client/ui/frame/use-media.ts'
import type { FilterKinds } from '#client/ui/grid/grid-url.ts'
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
  const { btnPermissions } = usePage()
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
    // the address was read by the same kinds
    filters: <Kinds extends FilterKinds>(_kinds: Kinds) => chosen,
    read: <E extends Endpoint>(endpoint: E) =>
      // the query beside the endpoint asked it
      answers[wanted.findIndex((one) => one.endpoint === (endpoint as Endpoint))]?.data as
        | DataOf<E>
        | undefined,
    hasMenu: (name) => index.byName.has(name),
    may: (endpoint) => isGranted(codesOf(endpoint), btnPermissions),
  }
}

export function isGranted(codes: readonly string[] | null, granted: readonly string[]): boolean {
  return codes === null || permits(codes, granted)
}
