/** The guard's decision for the present address; where it leads elsewhere, goes there. */
import { useEffect } from 'react'
// not from `wouter` itself: the login needs no routes
import { useBrowserLocation, useSearch } from 'wouter/use-browser-location'
import { decideRoute, type GuardInput, type Shown } from './guard.ts'

export function useGuard(
  input: Pick<GuardInput, 'session' | 'remember' | 'landing' | 'knows'>,
): Shown {
  const [path, navigate] = useBrowserLocation()
  // with its question mark, and as it stands in the address
  const search = useSearch()
  const decision = decideRoute({ ...input, path, search, origin: location.origin })
  const go = 'go' in decision ? decision.go : null
  useEffect(() => {
    if (go !== null) navigate(go, { replace: true })
  }, [go, navigate])
  return 'show' in decision ? decision.show : 'loading'
}
