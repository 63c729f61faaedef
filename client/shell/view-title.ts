import { registeredScreens, type Screens } from '#client/base/screens.ts'
import { useText } from '#client/base/use-text.ts'
import type { View } from '#client/session/routes.ts'
import { useServerText } from '#client/session/server-text.ts'

function namespacesOf({ details, constants }: Screens): string[] {
  const titles = [...Object.values(details), ...Object.values(constants)].map(({ title }) => title)
  return ['session', ...new Set(titles.map((title) => title.slice(0, title.indexOf(':'))))]
}

/**
 * Title of a view for tab bar and breadcrumb: the menu's title, or the kind of record with its id.
 */
export function useViewTitle(): (view: View) => string {
  const text = useServerText()
  const translate = useText(...namespacesOf(registeredScreens()))
  return (view) => {
    if (view.kind === 'menu' || view.kind === 'unbuilt')
      return text(view.page.title, view.page.name)
    if (view.kind === 'constant') return translate(view.route.title)
    return view.kind === 'detail' ? `${translate(view.route.title)} ${view.id}` : ''
  }
}
