import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buttonsWithoutMenu,
  KEPT_BY_ADMINISTRATORS,
  type PermissionNode,
  stateOf,
  type Ticks,
  tickAll,
  ticksOf,
  toGrant,
  toggle,
  toTicks,
} from './permission-tree.ts'

const NOTHING: Ticks = new Set()

/** Trees of up to three levels with unique names. */
const trees = fc
  .array(fc.array(fc.array(fc.nat(3), { maxLength: 3 }), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((shape) => {
    let n = 0
    const node = (children: PermissionNode[], buttons = 0): PermissionNode => {
      n += 1
      return {
        id: `M${n}`,
        name: `m${n}`,
        title: '',
        path: `/m${n}`,
        visible: 0,
        buttons: Array.from({ length: buttons }, (_, i) => ({ code: `b${i}`, title: '' })),
        children,
      }
    }
    return shape.map((groups) =>
      node(
        groups.map((pages) =>
          node(
            pages.map((buttons) => node([], buttons)),
            pages.length === 0 ? 2 : 0,
          ),
        ),
        groups.length === 0 ? 1 : 0,
      ),
    )
  })
const scenes = trees.chain((tree) => {
  const ticks = [...tickAll(tree)]
  return fc.record({
    tree: fc.constant(tree),
    clicks: fc.array(fc.constantFrom(...ticks), { maxLength: 12 }),
    tick: fc.constantFrom(...ticks),
    kept: fc.subarray(ticks.filter((tick) => !tick.includes(':'))),
  })
})
const clicked = (
  tree: readonly PermissionNode[],
  clicks: readonly string[],
  kept: Ticks = NOTHING,
) => clicks.reduce<Ticks>((ticks, tick) => toggle(tree, ticks, tick, true, kept), NOTHING)
const all = (tree: readonly PermissionNode[]): PermissionNode[] =>
  tree.flatMap((node) => [node, ...all(node.children)])
const parentOf = (tree: readonly PermissionNode[], name: string) =>
  all(tree).find((node) => node.children.some((child) => child.name === name))

test('linked, every permission is below checked menus, and no group is checked alone', () => {
  fc.assert(
    fc.property(scenes, ({ tree, clicks }) => {
      const ticks = clicked(tree, clicks)
      expect(buttonsWithoutMenu(ticks)).toEqual([])
      for (const node of all(tree).filter(({ name }) => ticks.has(name))) {
        const parent = parentOf(tree, node.name)
        if (parent) expect(ticks.has(parent.name)).toBe(true)
        if (node.children.length > 0)
          expect(node.children.some((child) => ticks.has(child.name))).toBe(true)
      }
    }),
  )
})

test('linked, a menu checks and unchecks everything below it and nothing else', () => {
  fc.assert(
    fc.property(scenes, ({ tree, clicks, tick }) => {
      const before = clicked(tree, clicks)
      const node = all(tree).find(({ name }) => name === tick)
      if (!node) return
      const after = toggle(tree, before, tick, true, NOTHING)
      const below = ticksOf(node)
      expect(below.every((one) => after.has(one) === !before.has(tick))).toBe(true)
      const above = new Set(
        all(tree)
          .filter((one) => one !== node && ticksOf(one).includes(tick))
          .map(({ name }) => name),
      )
      for (const one of tickAll(tree))
        if (!below.includes(one) && !above.has(one)) expect(after.has(one)).toBe(before.has(one))
    }),
  )
})

test('unlinked, a click changes one permission', () => {
  fc.assert(
    fc.property(scenes, ({ tree, clicks, tick }) => {
      const before = clicked(tree, clicks)
      const after = toggle(tree, before, tick, false, NOTHING)
      expect([...tickAll(tree)].filter((one) => after.has(one) !== before.has(one))).toEqual([tick])
    }),
  )
})

test('a required permission cannot be unchecked by any click', () => {
  fc.assert(
    fc.property(scenes, fc.boolean(), ({ tree, clicks, kept }, linked) => {
      const wanted = new Set(kept)
      let ticks: Ticks = tickAll(tree)
      for (const tick of clicks) ticks = toggle(tree, ticks, tick, linked, wanted)
      expect(kept.every((one) => ticks.has(one))).toBe(true)
    }),
  )
})

test('saved permissions are read back unchanged', () => {
  fc.assert(
    fc.property(scenes, ({ tree, clicks }) => {
      const ticks = clicked(tree, clicks)
      const { menuIds, buttons } = toGrant(tree, ticks)
      expect(toTicks(tree, menuIds, buttons)).toEqual(ticks)
    }),
  )
})

test('a page checked alone is saved with the groups above it', () => {
  const page: PermissionNode = {
    id: 'P',
    name: 'page',
    title: '',
    path: '/g/page',
    visible: 0,
    buttons: [{ code: 'add', title: '' }],
    children: [],
  }
  const group: PermissionNode = {
    id: 'G',
    name: 'group',
    title: '',
    path: '/g',
    visible: 0,
    buttons: [],
    children: [page],
  }
  expect(toGrant([group], new Set(['page']))).toEqual({ menuIds: ['G', 'P'], buttons: {} })
  expect(stateOf(group, new Set(['page']))).toBe('all')
  expect(
    stateOf({ ...group, children: [page, { ...page, id: 'Q', name: 'other' }] }, new Set(['page'])),
  ).toBe('some')
})

test('administrators keep the permissions needed to repair roles', () => {
  expect([...KEPT_BY_ADMINISTRATORS]).toEqual(
    expect.arrayContaining(['user', 'user:edit', 'role', 'role:edit', 'role_edit']),
  )
})
