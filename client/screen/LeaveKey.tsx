import { usePage } from '#client/session/page.tsx'
import { useSession } from '#client/session/session-store.ts'
import { useGoBack } from '#client/screen/use-go-back.ts'
import { isTyping } from '#client/ui/frame/shortcut.ts'
import { shortcutStore, useShortcuts } from '#client/ui/frame/shortcuts.ts'

const ID = 'view-leave'

/**
 * Esc of a record page, which has its own key only once the record is there, or has none. Beside the
 * page's own this one does nothing, also while that is off. In a field it leaves the field first.
 * @param list menu of its list; absent: the page whose path this one's continues (`role_edit`), else
 * the first of its group
 */
export function LeaveKey({ list }: { list?: string }): null {
  const { path } = usePage()
  const { index } = useSession()
  const above =
    [...index.pages.values()].find((one) => !one.hidden && path.startsWith(one.path)) ??
    index.pages.get(index.redirects.get(path.slice(0, path.lastIndexOf('/'))) ?? '')
  const goBack = useGoBack(list ?? above?.name ?? 'home_page')
  useShortcuts('screen', [
    {
      id: ID,
      code: 'Escape',
      labelKey: 'ui:detail.back',
      when: () =>
        !shortcutStore
          .get()
          .some(({ id, code, scope }) => id !== ID && code === 'Escape' && scope === 'screen'),
      run: ({ target }) => (isTyping(target) ? (target as HTMLElement).blur() : goBack()),
    },
  ])
  return null
}
