import { useTranslation } from 'react-i18next'
import { CONSTANTS, DETAILS } from '#client/app/features.ts'
import type { View } from '#client/app/routes.ts'
import { useServerText } from './server-text.ts'

const NAMESPACES = [
  ...new Set([
    'session',
    ...[...Object.values(DETAILS), ...Object.values(CONSTANTS)].map(
      (detail) => detail.title.split(':')[0] as string,
    ),
  ]),
]

/** Title of a view for tab bar and breadcrumb: the menu's, or the kind of record with its id. */
export function useViewTitle(): (view: View) => string {
  const text = useServerText()
  const { t } = useTranslation(NAMESPACES as never)
  const translate = t as unknown as (key: string) => string
  return (view) => {
    if (view.kind === 'menu' || view.kind === 'unbuilt')
      return text(view.page.title, view.page.name)
    if (view.kind === 'constant') return translate(view.route.title)
    return view.kind === 'detail' ? `${translate(view.route.title)} ${view.id}` : ''
  }
}
