/**
 * The tree of menus and buttons of a role. Pure: checked permissions and one click give the new
 * checked permissions. A menu's permission is its name, a button's is `menu:code`.
 */
export interface PermissionNode {
  id: string
  name: string
  title: string
  path: string
  visible: number
  buttons: { code: string; title: string }[]
  children: PermissionNode[]
}

export type Ticks = ReadonlySet<string>

/**
 * Permissions a role cannot lose: the home page for every role, and for administrators those needed
 * to repair roles.
 */
export const KEPT_BY_ALL: Ticks = new Set(['home_page'])
export const KEPT_BY_ADMINISTRATORS: Ticks = new Set([
  'home_page',
  'system',
  'user',
  'user:add',
  'user:edit',
  'user:status',
  'user:reset',
  'role',
  'role:add',
  'role:edit',
  'role:status',
  'role_edit',
])

/** All permissions of a menu and of everything below it. */
export function ticksOf(node: PermissionNode): string[] {
  return [
    node.name,
    ...node.buttons.map(({ code }) => `${node.name}:${code}`),
    ...node.children.flatMap(ticksOf),
  ]
}

/** From the root down to the menu of a permission, that menu last; empty for an unknown one. */
function trailTo(tree: readonly PermissionNode[], menu: string): PermissionNode[] {
  for (const node of tree) {
    if (node.name === menu) return [node]
    const below = trailTo(node.children, menu)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

/**
 * One click. Linked, a menu changes everything below it, a checked item checks the menus above it,
 * and a group with nothing checked below is unchecked. Unlinked, only the clicked item changes.
 */
export function toggle(
  tree: readonly PermissionNode[],
  ticks: Ticks,
  tick: string,
  linked: boolean,
  kept: Ticks,
): Set<string> {
  const next = new Set(ticks)
  const [menu = '', code] = tick.split(':')
  const isOn = !ticks.has(tick)
  const trail = trailTo(tree, menu)
  const node = trail.at(-1)
  if (!node) return next
  const touched = linked && code === undefined ? ticksOf(node) : [tick]
  for (const one of touched) {
    if (isOn) next.add(one)
    else if (!kept.has(one)) next.delete(one)
  }
  if (!linked) return next
  if (isOn) for (const above of trail) next.add(above.name)
  else
    for (const above of trail.toReversed())
      if (
        above.children.length > 0 &&
        !above.children.some((child) => next.has(child.name)) &&
        !kept.has(above.name)
      )
        next.delete(above.name)
  return next
}

export function tickAll(tree: readonly PermissionNode[]): Set<string> {
  return new Set(tree.flatMap(ticksOf))
}

/** How much of a group is checked, for its checkbox. */
export function stateOf(node: PermissionNode, ticks: Ticks): 'all' | 'some' | 'none' {
  if (node.children.length === 0) return ticks.has(node.name) ? 'all' : 'none'
  const states = node.children.map((child) => stateOf(child, ticks))
  if (states.every((state) => state === 'all')) return 'all'
  return ticks.has(node.name) || states.some((state) => state !== 'none') ? 'some' : 'none'
}

/** Checked buttons whose menu is not checked; R-TREE refuses them. */
export function buttonsWithoutMenu(ticks: Ticks): string[] {
  return [...ticks].filter(
    (tick) => tick.includes(':') && !ticks.has(tick.slice(0, tick.indexOf(':'))),
  )
}

/**
 * Checked permissions → the stored form. A menu adds the groups above it, or it would have no place
 * in the sidebar.
 */
export function toGrant(
  tree: readonly PermissionNode[],
  ticks: Ticks,
): { menuIds: string[]; buttons: Record<string, string[]> } {
  const menuIds: string[] = []
  const buttons: Record<string, string[]> = {}
  const walk = (node: PermissionNode): boolean => {
    const before = menuIds.length
    menuIds.push(node.id)
    const hasBelow = node.children.map(walk).includes(true)
    if (!hasBelow && !ticks.has(node.name)) {
      menuIds.length = before
      return false
    }
    const codes = node.buttons
      .map(({ code }) => code)
      .filter((code) => ticks.has(`${node.name}:${code}`))
    if (codes.length > 0) buttons[node.name] = codes
    return true
  }
  for (const node of tree) walk(node)
  return { menuIds, buttons }
}

/** The stored form → checked permissions. */
export function toTicks(
  tree: readonly PermissionNode[],
  menuIds: readonly string[],
  buttons: Readonly<Record<string, readonly string[]>>,
): Set<string> {
  const ids = new Set(menuIds)
  const ticks = new Set<string>()
  const walk = (node: PermissionNode): void => {
    if (ids.has(node.id)) ticks.add(node.name)
    for (const { code } of node.buttons)
      if (buttons[node.name]?.includes(code)) ticks.add(`${node.name}:${code}`)
    for (const child of node.children) walk(child)
  }
  for (const node of tree) walk(node)
  return ticks
}
