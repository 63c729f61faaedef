/**
 * Permission codes are `menu:action`; `menu:view` means the menu is in the holder's tree.
 */
import type { Access, Endpoint } from './endpoint.ts'

export const DATA_SCOPES = ['all', 'agency', 'department', 'group', 'own', 'queue'] as const
export type DataScope = (typeof DATA_SCOPES)[number]

/** What a person may do and see; held by the session on the server and, as codes, by the client. */
export interface Rights {
  roleMark: string
  permissions: ReadonlySet<string>
  scope: DataScope
  agencyId: string | null
  /** Staff of an outside agency: they see less of a borrower and open no internal screens. */
  isOutside: boolean
  departmentId: string | null
  groupId: string | null
}

/**
 * Whether a session with these codes may make a call with this access. Machine calls are never open
 * to a session.
 */
export function mayCall(access: Access, permissions: ReadonlySet<string>): boolean {
  if (access === 'none' || access === 'any') return true
  if ('machine' in access) return false
  return access.some((code) => permissions.has(code))
}

/**
 * The code by which a holder of these codes may export a list with these filters; null = by none.
 */
export function exportCode(
  { exports = [] }: Pick<Endpoint, 'exports'>,
  permissions: { has(code: string): boolean },
  filters: Readonly<Record<string, unknown>>,
): string | null {
  const found = exports.find(
    ({ code, when = {} }) =>
      permissions.has(code) &&
      Object.entries(when).every(([name, values]) => values.includes(String(filters[name]))),
  )
  return found?.code ?? null
}

/**
 * On accounts, roles and parameters a button also goes by a number.
 */
const NUMBERED_MENUS = new Set(['user', 'role', 'conf'])
const NUMBERS: Readonly<Record<string, string>> = { add: '1', edit: '2', status: '4', reset: '4' }

/** The numbers that are beside the codes of a menu's buttons. */
export function buttonNumbers(menu: string, actions: readonly string[]): string[] {
  return NUMBERED_MENUS.has(menu)
    ? [...new Set(actions.flatMap((action) => NUMBERS[action] ?? []))]
    : []
}

/**
 * A screen of the server-driven menu: declared in `shared/<feature>/<feature>-menu.ts` and brought
 * into the tables at each start.
 */
export type MenuItem = MenuFields &
  // 1 = not in the sidebar and on no card, so it needs no icon
  ({ visible: 0; icon: string } | { visible: 1; icon?: string })

interface MenuFields {
  /** Unique; also the first half of its permission codes. */
  name: string
  path: string
  /** Component key the client looks up; equal to the path without leading slash. */
  component: string
  parent: string | null
  /** i18n key of the title. */
  title: string
  noCache?: boolean
  sort: number
  /** Action codes without the menu, with the roles that hold them beside the administrator. */
  actions: Record<string, readonly string[]>
  /** Roles that see the menu beside the administrator. */
  roles: readonly string[]
  /** Codes of other menus whose buttons appear on this page. */
  alsoShows?: readonly string[]
}
