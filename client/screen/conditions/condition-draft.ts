/**
 * The tree while it is edited: each node has an id of its own, which stays when it moves, so that
 * inputs keep what is typed and the focus follows. Every operation is pure and gives a new tree.
 */
import {
  childPath,
  type Comparison,
  type Condition,
  type GroupKind,
  isGroup,
  MOST_LEVELS,
  type NodePath,
} from '#shared/conditions/condition.ts'

export interface DraftGroup {
  id: string
  kind: GroupKind
  of: readonly DraftNode[]
}
export type DraftComparison = Comparison & { id: string }
export type DraftNode = DraftGroup | DraftComparison

let made = 0
const newId = (): string => `n${(made += 1)}`

export function isDraftGroup(node: DraftNode): node is DraftGroup {
  return 'of' in node
}

export function emptyComparison(): DraftComparison {
  return { id: newId(), field: '', operator: '' }
}

/** A new group starts with a comparison, because an empty one means nothing. */
export function newGroup(kind: GroupKind): DraftGroup {
  return { id: newId(), kind, of: [emptyComparison()] }
}

/** With new ids; a lone comparison gets a group around it, since the root of an editor is one. */
export function rootOf(condition: Condition): DraftGroup {
  const node = draftOf(condition)
  return isDraftGroup(node) ? node : { id: newId(), kind: 'all', of: [node] }
}

export function draftOf(condition: Condition): DraftNode {
  return isGroup(condition)
    ? { id: newId(), kind: condition.kind, of: condition.of.map(draftOf) }
    : { id: newId(), ...condition }
}

export function conditionOf(node: DraftNode): Condition {
  if (isDraftGroup(node)) return { kind: node.kind, of: node.of.map(conditionOf) }
  const { id: _, ...comparison } = node
  return comparison
}

/** Ids by path. */
export function pathsOf(root: DraftNode): ReadonlyMap<NodePath, string> {
  const ids = new Map<NodePath, string>()
  function visit(node: DraftNode, path: NodePath): void {
    ids.set(path, node.id)
    if (isDraftGroup(node))
      for (const [i, child] of node.of.entries()) visit(child, childPath(path, i))
  }
  visit(root, '')
  return ids
}

interface Place {
  group: DraftGroup
  at: number
  /** Of the group: 1 = the root. */
  level: number
}

export function placeOf(root: DraftGroup, id: string, level = 1): Place | null {
  const at = root.of.findIndex((node) => node.id === id)
  if (at >= 0) return { group: root, at, level }
  for (const node of root.of) {
    const found = isDraftGroup(node) ? placeOf(node, id, level + 1) : null
    if (found) return found
  }
  return null
}

/** Groups from this node down; a comparison has none. */
function heightOf(node: DraftNode): number {
  return isDraftGroup(node) ? 1 + Math.max(0, ...node.of.map(heightOf)) : 0
}

function withGroup(
  root: DraftGroup,
  id: string,
  change: (of: readonly DraftNode[]) => readonly DraftNode[],
): DraftGroup {
  if (root.id === id) return { ...root, of: change(root.of) }
  return {
    ...root,
    of: root.of.map((node) => (isDraftGroup(node) ? withGroup(node, id, change) : node)),
  }
}

export function addTo(
  root: DraftGroup,
  groupId: string,
  node: DraftNode,
  at = Number.POSITIVE_INFINITY,
): DraftGroup {
  return withGroup(root, groupId, (of) => [...of.slice(0, at), node, ...of.slice(at)])
}

export function removeNode(root: DraftGroup, id: string): DraftGroup {
  const place = placeOf(root, id)
  return place ? withGroup(root, place.group.id, (of) => of.filter((node) => node.id !== id)) : root
}

export function changeNode(root: DraftGroup, node: DraftNode): DraftGroup {
  if (root.id === node.id) return node as DraftGroup
  return {
    ...root,
    of: root.of.map((child) => {
      if (child.id === node.id) return node
      return isDraftGroup(child) ? changeNode(child, node) : child
    }),
  }
}

/** A copy right after the node. @returns the tree and the id of the copy */
export function duplicateNode(root: DraftGroup, id: string): { root: DraftGroup; id: string } {
  const place = placeOf(root, id)
  const node = place?.group.of[place.at]
  if (!place || !node) return { root, id }
  const copy = draftOf(conditionOf(node))
  return { root: addTo(root, place.group.id, copy, place.at + 1), id: copy.id }
}

/**
 * One step up (-1) or down (1) as it is seen on the screen: past the neighbour, into a
 * neighbouring group, or out of its own group. Where the tree would get too deep it passes the
 * group instead. The same tree when there is nowhere to go.
 */
export function moveNode(root: DraftGroup, id: string, by: -1 | 1): DraftGroup {
  const place = placeOf(root, id)
  const node = place?.group.of[place.at]
  if (!place || !node) return root
  const { group, at, level } = place
  const rest = removeNode(root, id)
  const neighbour = group.of[at + by]
  if (neighbour === undefined) {
    const outer = placeOf(root, group.id)
    return outer ? addTo(rest, outer.group.id, node, outer.at + (by === 1 ? 1 : 0)) : root
  }
  if (isDraftGroup(neighbour) && level + 1 + heightOf(node) <= MOST_LEVELS)
    return addTo(rest, neighbour.id, node, by === 1 ? 0 : neighbour.of.length)
  return addTo(rest, group.id, node, at + by)
}

/** Whether a group may be in this one. */
export function mayNest(root: DraftGroup, groupId: string): boolean {
  const level = root.id === groupId ? 1 : (placeOf(root, groupId)?.level ?? MOST_LEVELS) + 1
  return level < MOST_LEVELS
}
