import { expect, test } from 'vitest'
import {
  dismissToast,
  lastUndo,
  MAX_TOASTS,
  NO_TOASTS,
  pushToast,
  tickToasts,
  TOAST_MS,
  type ToastQueue,
  type ToastRequest,
  UNDO_MS,
} from './toast-queue.ts'

const info = (message: string, key?: string): ToastRequest => ({ intent: 'primary', message, key })
const error = (message: string): ToastRequest => ({ intent: 'danger', message })
const push = (queue: ToastQueue, now: number, ...requests: ToastRequest[]) =>
  requests.reduce((q, r) => pushToast(q, r, now), queue)
const messages = (queue: ToastQueue) => queue.shown.map((toast) => toast.message)

test('repeats within ten seconds are one toast with an exact count', () => {
  let queue = NO_TOASTS
  for (let i = 0; i < 5000; i++)
    queue = tickToasts(pushToast(queue, info(`case ${i}`, 'case.allocated'), i * 2), i * 2)
  expect(queue.shown.map((toast) => toast.count)).toEqual([5000])
  expect(messages(queue)).toEqual(['case 4999'])
})

test('another thing done replaces the one before and is not counted with it', () => {
  const done = (message: string): ToastRequest => ({ intent: 'success', message, key: 'saved' })
  const twice = push(NO_TOASTS, 0, done('Party added'), done('Party added'))
  expect(twice.shown.map(({ count }) => count)).toEqual([2])
  const other = push(twice, 10, done('Configuration added'))
  expect(messages(other)).toEqual(['Configuration added'])
  expect(other.shown.map(({ count }) => count)).toEqual([1])
})

test('many different infos show at most one every two seconds', () => {
  const seen = new Set<string>()
  let queue = NO_TOASTS
  for (let now = 0; now < 10_000; now += 2) {
    queue = tickToasts(pushToast(queue, info(`news ${now}`), now), now)
    for (const toast of queue.shown) seen.add(toast.key)
    expect(queue.shown.length).toBeLessThanOrEqual(MAX_TOASTS)
  }
  expect(seen.size).toBeLessThanOrEqual(6)
})

test('an error is shown at once and replaces an info but never an error', () => {
  let queue = push(NO_TOASTS, 0, info('one'))
  queue = push(queue, 2000, info('two'))
  queue = push(queue, 4000, info('three'), error('boom'))
  expect(messages(queue)).toEqual(['two', 'three', 'boom'])
  queue = push(queue, 4100, error('bang'), error('crash'), error('fourth'))
  expect(messages(queue)).toEqual(['boom', 'bang', 'crash'])
  expect(messages(dismissToast(queue, 'danger:bang', 4200))).toEqual(['boom', 'crash', 'fourth'])
})

test('an info never replaces an error', () => {
  const queue = push(NO_TOASTS, 0, error('a'), error('b'), error('c'), info('d'))
  expect(messages(queue)).toEqual(['a', 'b', 'c'])
  expect(messages(tickToasts(queue, TOAST_MS - 1))).toEqual(['a', 'b', 'c'])
  expect(messages(tickToasts(queue, TOAST_MS))).toEqual(['d'])
})

test('a toast under the pointer does not expire', () => {
  const queue = push(NO_TOASTS, 0, error('a'))
  expect(messages(tickToasts(queue, 60_000, true))).toEqual(['a'])
  expect(messages(tickToasts(queue, 60_000, false))).toEqual([])
})

test('an info that waited ten seconds is dropped', () => {
  const queue = push(NO_TOASTS, 0, error('a'), error('b'), error('c'), info('old'))
  expect(messages(tickToasts(tickToasts(queue, 11_000, true), 12_000))).toEqual([])
})

test('a toast with undo stays ten seconds, and the newest is undone first', () => {
  const undo = (message: string): ToastRequest => ({
    intent: 'success',
    message,
    undo: () => message,
  })
  let queue = pushToast(
    push(NO_TOASTS, 0, { intent: 'success', message: 'saved' }, undo('first deleted')),
    undo('second deleted'),
    1_000,
  )
  expect(lastUndo(queue)?.message).toBe('second deleted')
  queue = tickToasts(dismissToast(queue, 'success:second deleted', 2_000), UNDO_MS - 1)
  expect(messages(queue)).toEqual(['first deleted'])
  expect(lastUndo(queue)?.message).toBe('first deleted')
  expect(lastUndo(tickToasts(queue, UNDO_MS))).toBeUndefined()
})
