import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageVendor, OutgoingMessage } from '#gateway/manage/vendors/message-vendor.ts'
import { type Floor, testManage } from '#tests/support/manage.ts'
import { messageClass, trySend } from './message-class.ts'

let floor: Floor
beforeAll(async () => {
  floor = await testManage({ parts: () => ({}) })
})
afterAll(() => floor.close())

const message = (to: string): OutgoingMessage => ({
  key: `k:${to}`,
  way: 'sms',
  to,
  language: 'en',
  template: 'newAccount',
  params: {},
})
const answers: Record<string, () => ReturnType<MessageVendor['send']>> = {
  taken: () => Promise.resolve({ accepted: true, vendorRef: 'R1' }),
  refused: () => Promise.resolve({ accepted: false, reason: '9876543210 is no number' }),
  broken: () => Promise.reject(new Error('9876543210 could not be asked')),
}
const vendor: MessageVendor = {
  code: 'test',
  send: ({ to }) => (answers[to] as () => ReturnType<MessageVendor['send']>)(),
}

test('only whether the vendor accepted a message is stored', async () => {
  expect(await trySend(vendor, () => message('taken'))).toEqual({ sent: true, vendorRef: 'R1' })
  expect(await trySend(vendor, () => message('refused'))).toEqual({ sent: false, vendorRef: null })
  expect(await trySend(vendor, () => message('broken'))).toEqual({ sent: false, vendorRef: null })
})

test('messages are sent in batches of a hundred, and an unreadable address blocks no other', async () => {
  const waiting = new Set(Array.from({ length: 130 }, (_, n) => n))
  const stored: number[] = []
  const made = messageClass<number, { n: number; sent: boolean }>({
    name: 'reminder',
    cycle: 'every:60',
    menu: 'test',
    find: () => Promise.resolve([...waiting]),
    send: async (_context, n) => {
      const { sent } = await trySend(vendor, () => {
        if (n === 3) throw new Error('sealed with a key that is gone')
        return message('taken')
      })
      return { n, sent }
    },
    store: (_tx, done) => {
      stored.push(done.length)
      for (const { n } of done) waiting.delete(n)
      return Promise.resolve(done.filter(({ sent }) => sent).length)
    },
  })
  expect(await made.run(floor.context)).toEqual({ sent: 129, notReached: 1 })
  expect(stored).toEqual([100, 30])
  expect(await made.run(floor.context)).toEqual({ sent: 0, notReached: 0 })
})
