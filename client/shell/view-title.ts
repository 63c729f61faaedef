import { useText, type Text } from '#client/base/use-text.ts'
import type { View } from '#client/session/routes.ts'
import { frameKey, useServerText } from '#client/session/server-text.ts'

/**
 * Title of a view for tab bar and breadcrumb: the menu's title, or the kind of record with its id.
 */
export function useViewTitle(): (view: View) => string {
  const text = useServerText()
  const translate: Text = useText<readonly string[]>('shell')
  return (view) => {
    if (view.kind === 'menu' || view.kind === 'unbuilt')
      return text(view.page.title, view.page.name)
    if (view.kind === 'constant') return translate(frameKey(view.route.title))
    return view.kind === 'detail' ? `${translate(frameKey(view.route.title))} ${view.id}` : ''
  }
}
