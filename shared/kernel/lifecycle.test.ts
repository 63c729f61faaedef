import { expect, test } from 'vitest'
import { setup } from 'xstate'
import { IllegalTransition, lifecycle } from './lifecycle.ts'

type DoorState = 'open' | 'shut' | 'locked'
type DoorEvent =
  | { type: 'SHUT' }
  | { type: 'LOCK'; hasKey: boolean }
  | { type: 'UNLOCK'; hasKey: boolean; isStuck: boolean }
  | { type: 'KNOCK' }

const machine = setup({
  types: { events: {} as DoorEvent, tags: {} as 'closed' },
  guards: {
    hasKey: (_, event: { hasKey: boolean }) => event.hasKey,
    isStuck: (_, event: { hasKey: boolean; isStuck: boolean }) => event.hasKey && event.isStuck,
  },
}).createMachine({
  id: 'door',
  initial: 'open',
  states: {
    open: { on: { SHUT: { target: 'shut' } } },
    shut: {
      on: {
        LOCK: { target: 'locked', guard: { type: 'hasKey', params: ({ event }) => event } },
        KNOCK: { target: 'shut' },
      },
    },
    locked: {
      tags: ['closed'],
      on: {
        UNLOCK: [
          { target: 'locked', guard: { type: 'isStuck', params: ({ event }) => event } },
          { target: 'open', guard: { type: 'hasKey', params: ({ event }) => event } },
        ],
      },
    },
  },
})
const door = lifecycle<DoorState, typeof machine>('door', machine)

test('it names its states, events and first state', () => {
  expect(door).toMatchObject({
    name: 'door',
    initial: 'open',
    states: ['open', 'shut', 'locked'],
    events: ['SHUT', 'LOCK', 'KNOCK', 'UNLOCK'],
  })
})

test('an event the state accepts leads to the next state', () => {
  expect(door.next('open', { type: 'SHUT' })).toBe('shut')
  expect(door.can('open', { type: 'SHUT' })).toBe(true)
})

test('an event may keep the state', () => {
  expect(door.can('shut', { type: 'KNOCK' })).toBe(true)
  expect(door.next('shut', { type: 'KNOCK' })).toBe('shut')
})

test('guards choose the target in the order written', () => {
  expect(door.next('locked', { type: 'UNLOCK', hasKey: true, isStuck: true })).toBe('locked')
  expect(door.next('locked', { type: 'UNLOCK', hasKey: true, isStuck: false })).toBe('open')
})

test('an event the state does not accept is refused with state, event and what is allowed', () => {
  expect(door.can('shut', { type: 'SHUT' })).toBe(false)
  const refused = new IllegalTransition('door', 'shut', 'SHUT', ['LOCK', 'KNOCK'])
  expect(() => door.next('shut', { type: 'SHUT' })).toThrow(refused)
  expect(refused.message).toBe('door in state shut does not take SHUT; allowed: LOCK, KNOCK')
})

test('a guard refuses in the same way', () => {
  expect(door.can('shut', { type: 'LOCK', hasKey: false })).toBe(false)
  expect(() => door.next('shut', { type: 'LOCK', hasKey: false })).toThrow(IllegalTransition)
})

test('a lifecycle keeps no state between two calls', () => {
  door.next('open', { type: 'SHUT' })
  expect(door.next('open', { type: 'SHUT' })).toBe('shut')
  expect(door.can('locked', { type: 'SHUT' })).toBe(false)
})

test('the allowed events ignore guards, and the caller may change the list', () => {
  door.allowed('shut').pop()
  expect(door.allowed('shut')).toEqual(['LOCK', 'KNOCK'])
})

test('closed is a tag, not a final state', () => {
  expect(door.isClosed('locked')).toBe(true)
  expect(door.isClosed('open')).toBe(false)
})

test('a state the lifecycle does not have is a programming error', () => {
  // A row of the database may hold a text no type has checked.
  expect(() => door.next('ajar' as DoorState, { type: 'SHUT' })).toThrow('door has no state ajar')
})
