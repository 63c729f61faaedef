import fc from 'fast-check'
import { expect, test } from 'vitest'
import { soundCondition } from '#tests/support/conditions.ts'
import { type Condition, isGroup, MOST_LEVELS } from '#shared/conditions/condition.ts'
import {
  addTo,
  conditionOf,
  type DraftGroup,
  type DraftNode,
  duplicateNode,
  emptyComparison,
  isDraftGroup,
  mayNest,
  moveNode,
  newGroup,
  removeNode,
  rootOf,
} from './condition-draft.ts'
import { historyOf, stepHistory } from './condition-history.ts'

const leaf = (field: string): Condition => ({ field, operator: 'is', value: 1 })
const all = (...of: Condition[]): Condition => ({ kind: 'all', of })
/** The fields of a tree as one text: `a(b c)d`. */
function shape(node: Condition): string {
  return isGroup(node) ? `(${node.of.map(shape).join('')})` : node.field
}
const shapeOf = (root: DraftGroup) => shape(conditionOf(root))

function nodesOf(node: DraftNode): DraftNode[] {
  return isDraftGroup(node) ? [node, ...node.of.flatMap(nodesOf)] : [node]
}
const idOf = (root: DraftGroup, field: string): string =>
  nodesOf(root).find((node) => !isDraftGroup(node) && node.field === field)?.id ?? ''

/** Moves `x` until it stays where it is. */
function walk(root: DraftGroup, by: -1 | 1): string[] {
  const shapes = [shapeOf(root)]
  for (let now = root; ;) {
    const next = moveNode(now, idOf(root, 'x'), by)
    if (next === now) return shapes
    shapes.push(shapeOf(next))
    now = next
  }
}

test('a tree that is opened and closed is the same', () => {
  fc.assert(
    fc.property(soundCondition, (condition) => {
      const given = isGroup(condition) ? condition : all(condition)
      expect(conditionOf(rootOf(condition))).toEqual(given)
    }),
  )
})

test('a node walks through every place of the screen, into groups and out of them', () => {
  const root = rootOf(all(leaf('x'), leaf('a'), all(leaf('b'), all(leaf('c'))), leaf('d')))
  const down = [
    '(xa(b(c))d)',
    '(ax(b(c))d)',
    '(a(xb(c))d)',
    '(a(bx(c))d)',
    '(a(b(xc))d)',
    '(a(b(cx))d)',
    '(a(b(c)x)d)',
    '(a(b(c))xd)',
    '(a(b(c))dx)',
  ]
  expect(walk(root, 1)).toEqual(down)
  const last = rootOf(all(leaf('a'), all(leaf('b'), all(leaf('c'))), leaf('d'), leaf('x')))
  expect(walk(last, -1)).toEqual(down.toReversed())
})

test('moving never loses a node and never makes the tree too deep', () => {
  const levelsOf = (node: Condition): number =>
    isGroup(node) ? 1 + Math.max(0, ...node.of.map(levelsOf)) : 0
  fc.assert(
    fc.property(
      soundCondition,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(-1 as const, 1 as const)), { maxLength: 12 }),
      (condition, moves) => {
        let root = rootOf(condition)
        const ids = nodesOf(root).map(({ id }) => id)
        for (const [n, by] of moves) root = moveNode(root, ids[n % ids.length] as string, by)
        expect(
          nodesOf(root)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(ids.toSorted())
        expect(levelsOf(conditionOf(root))).toBeLessThanOrEqual(MOST_LEVELS)
      },
    ),
  )
})

test('a copy stands after its node and has ids of its own', () => {
  const root = rootOf(all(all(leaf('a')), leaf('b')))
  const { root: copied, id } = duplicateNode(root, (root.of[0] as DraftNode).id)
  expect(shapeOf(copied)).toBe('((a)(a)b)')
  expect(copied.of[1]?.id).toBe(id)
  expect(new Set(nodesOf(copied).map((node) => node.id)).size).toBe(nodesOf(copied).length)
})

test('a removed node leaves its group, and the root stays', () => {
  const root = rootOf(all(all(leaf('a'))))
  expect(shapeOf(removeNode(root, idOf(root, 'a')))).toBe('(())')
  expect(removeNode(root, root.id)).toBe(root)
})

test('groups can be added down to the fifth level', () => {
  let root = rootOf(all())
  let inner = root
  let levels = 1
  while (mayNest(root, inner.id)) {
    const group = newGroup('any')
    root = addTo(root, inner.id, group)
    inner = group
    levels += 1
  }
  expect(levels).toBe(MOST_LEVELS)
})

test('undo and redo walk the steps, and typing in one input is one step', () => {
  const root = rootOf(all(leaf('a')))
  const typed = (value: number): DraftGroup => ({
    ...root,
    of: [{ ...(root.of[0] as DraftNode), value }],
  })
  const added = addTo(typed(12), root.id, emptyComparison())
  let history = historyOf(root)
  history = stepHistory(history, { type: 'change', root: typed(1), about: 'value' })
  history = stepHistory(history, { type: 'change', root: typed(12), about: 'value' })
  history = stepHistory(history, { type: 'change', root: added })
  const seen = [history.now]
  for (const type of ['undo', 'undo', 'undo', 'redo', 'redo', 'redo'] as const) {
    history = stepHistory(history, { type })
    seen.push(history.now)
  }
  const steps = [added, seen[1], root, root, seen[1], added, added]
  expect(seen).toEqual(steps)
  expect(conditionOf(seen[1] as DraftGroup)).toEqual(conditionOf(typed(12)))
  history = stepHistory(stepHistory(history, { type: 'undo' }), { type: 'change', root })
  expect(history.future).toEqual([])
})
