/** Applies the guard's decision for the current address and redirects where it asks for that. */
import { useEffect } from 'react'
// Not from `wouter` itself: the login needs no routes.
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location'
import { decideRoute, type GuardInput, type Shown } from './guard.ts'

export function useGuard(
  input: Pick<GuardInput, 'session' | 'remember' | 'hasSignedIn' | 'landing' | 'knows'>,
): Shown {
  const [path, navigate] = useBrowserLocation()
  // The query with its question mark, exactly as in the address.
  const search = useSearch()
  const decision = decideRoute({ ...input, path, search, origin: location.origin })
  const go = 'go' in decision ? decision.go : null
  useEffect(() => {
    if (go !== null) navigate(go, { replace: true })
  }, [go, navigate])
  return 'show' in decision ? decision.show : 'loading'
}
