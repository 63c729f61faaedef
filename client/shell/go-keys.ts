/** `g` then a letter opens a screen: the first of its menus that the session has. */
import type { MenuIndex } from '#client/session/menu.ts'

interface Place {
  key: string
  /** Menus this key can open, the preferred one first. */
  menus: readonly string[]
  /** A tab of the screen with its own button code and title. */
  part?: { code: string; search: string; title: string }
}

const PLACES: readonly Place[] = [
  { key: 'KeyH', menus: ['home_page'] },
  {
    key: 'KeyW',
    menus: ['pedding_list', 'no_certified', 'unrequished', 'no_relented', 'loan_failed'],
  },
  { key: 'KeyM', menus: ['marketing_total'] },
  { key: 'KeyR', menus: ['review_list'] },
  {
    key: 'KeyA',
    menus: ['pedding_list'],
    part: {
      code: 'pedding_list:allocate',
      search: '?tab=desk',
      title: 'shell:shortcuts.allocationDesk',
    },
  },
  { key: 'KeyB', menus: ['loaned_board'] },
  { key: 'KeyT', menus: ['operation_ticket', 'loaned_ticket', 'user_feedback'] },
  { key: 'KeyO', menus: ['order_list'] },
]

export interface Jump {
  key: string
  address: string
  /** i18n key, and the name for a build that does not have it. */
  title: string
  name: string
}

/** @param landing address of the role's own screen, preferred where a key can open several */
export function jumpsOf({ byName }: Pick<MenuIndex, 'byName'>, landing: string): Jump[] {
  return PLACES.flatMap(({ key, menus, part }): Jump[] => {
    const pages = menus.flatMap((name) => byName.get(name) ?? [])
    const page = pages.find(({ path }) => path === landing) ?? pages[0]
    if (!page || (part && !page.btnPermissions.includes(part.code))) return []
    return [
      {
        key,
        address: page.path + (part?.search ?? ''),
        title: part?.title ?? page.title,
        name: page.name,
      },
    ]
  })
}
