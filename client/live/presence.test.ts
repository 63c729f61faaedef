import { expect, test } from 'vitest'
import { membersFrom, presenceFrom } from './presence.ts'

const asha = {
  userId: 'u1',
  userName: 'Asha',
  state: 'online',
  since: '2026-11-20T10:00:00Z',
  editing: false,
}

test('members are read from a list or from an acknowledgement', () => {
  expect(membersFrom([asha])).toEqual([asha])
  expect(membersFrom({ members: [asha] })).toEqual([asha])
})

test('malformed members are ignored, and a malformed message has no members', () => {
  expect(membersFrom([asha, null, { userId: 'u2' }, { ...asha, state: 'flying' }])).toEqual([asha])
  for (const wrong of [null, undefined, 'x', 7, {}, { members: 'x' }])
    expect(membersFrom(wrong)).toEqual([])
})

test('a push names the watched object', () => {
  expect(presenceFrom({ watch: 'order:1', members: [asha] })).toEqual({
    watch: 'order:1',
    members: [asha],
  })
  expect(presenceFrom({ members: [asha] })).toBeNull()
})
