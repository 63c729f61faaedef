/**
 * Return address of a window the console opened elsewhere (vendor portal, single sign-on): passes
 * the query to the opener of the same origin and closes. Without an opener it continues inside the
 * console.
 */
import { useEffect } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { safeRedirect } from '#client/session/redirect.ts'
import { sameOriginOpener } from './opener.ts'

export function Screen() {
  const t = useText('session')
  const search = useSearch()
  const [, navigate] = useLocation()

  useEffect(() => {
    const query = new URLSearchParams(search)
    if (!query.get('state')) return navigate('/401', { replace: true })
    const opener = sameOriginOpener()
    if (opener === 'foreign') return navigate('/401', { replace: true })
    if (opener) {
      opener.postMessage(
        { type: 'auth-redirect', query: Object.fromEntries(query) },
        location.origin,
      )
      window.close()
      return
    }
    // the guard checks the path against the route table once the session is known
    const target = safeRedirect(query.get('redirect'), location.origin, () => true)
    navigate(target === '/' ? '/login' : target, { replace: true })
  }, [search, navigate])

  return (
    <div className="status-page" role="status">
      <div>
        <h1>{t('returning.title')}</h1>
        <p>{t('returning.text')}</p>
      </div>
    </div>
  )
}
