/**
 * A revoked permission is ineffective within a second, over two edges, for calls and for sockets.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { listRoles, roleDetail, saveRole } from '#shared/access/roles-api.ts'
import {
  editUser,
  kickUser,
  listUsers,
  resetUserPassword,
  setUserStatus,
} from '#shared/access/users-api.ts'
import { claimReviews } from '#shared/review/review-api.ts'
import { currentRole } from '#shared/session/session-api.ts'
import { makeReview } from '#tests/factories/reviews.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

const ONE_SECOND = 1_000

let stack: Stack
let administrator: WebPerson
const open: Listener[] = []
beforeAll(async () => {
  stack = await startStack({ edges: 2 })
  administrator = await WebPerson.signIn(stack.url, 'administrator')
})
afterAll(async () => {
  for (const listener of open) listener.close()
  await stack.close()
})

/** Connected to the other edge. */
async function atWork(
  account: string,
): Promise<{ person: WebPerson; received: Listener; row: DataOf<typeof editUser> }> {
  const person = await WebPerson.signIn(stack.urls[1] as string, account)
  const received = await person.listen().ready()
  open.push(received)
  const { rows } = await administrator.call(listUsers, { account })
  return {
    person,
    received,
    row: rows.find((one) => one.account === account) as DataOf<typeof editUser>,
  }
}
/** Milliseconds until the condition holds. */
async function within(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > 5_000) throw new Error('not within 5 s')
    await new Promise((resume) => setTimeout(resume, 10))
  }
  return performance.now() - start
}

test.each([
  [
    'a disabled account',
    'reviewer3',
    ({ userId, version }: DataOf<typeof editUser>) =>
      administrator.call(setUserStatus, { userId, version, status: 'disabled' }),
  ],
  [
    'an account whose password was reset',
    'reviewer4',
    ({ userId }: DataOf<typeof editUser>) =>
      administrator.call(resetUserPassword, {
        userId,
        newPwd: 'Teal#Otter91',
        confirmNewPwd: 'Teal#Otter91',
      }),
  ],
  [
    'a session that is ended',
    'reviewer5',
    ({ userId }: DataOf<typeof editUser>) => administrator.call(kickUser, { userId }),
  ],
])('%s has no socket and no call left', async (_title, account, end) => {
  const { person, received, row } = await atWork(account)
  expect((await person.send(currentRole, {})).code).toBe(200)
  await end(row)
  expect(await within(() => received.kicked !== null && !received.socket.connected)).toBeLessThan(
    ONE_SECOND,
  )
  expect((await person.send(currentRole, {})).code).toBe(401)
})

test('after a change of role the socket stays, leaves the old rooms and is told to reload its menu', async () => {
  const { person, received, row } = await atWork('reviewer6')
  const { rows } = await administrator.call(listRoles, { uniqueMark: 'customer_service' })
  const { userId, version, nickname, language, allocationFlag } = row
  await administrator.call(editUser, {
    userId,
    version,
    nickname,
    language,
    allocationFlag,
    roleId: rows[0]?.roleId as string,
  })
  expect(
    await within(() => received.events.some((event) => event.type === 'menu.changed')),
  ).toBeLessThan(ONE_SECOND)
  expect(await person.call(currentRole, {})).toMatchObject({ uniqueMark: 'customer_service' })
  // Sockets are checked again within the second; later events of the queue no longer reach this
  // user.
  const reviewer = await atWork('reviewer')
  const { reviewId } = await makeReview(stack, { state: 'unclaimed' })
  await within(
    async () => (await person.send(claimReviews, { reviewIds: [reviewId] })).code === 403,
  )
  await reviewer.person.call(claimReviews, { reviewIds: [reviewId] })
  await reviewer.received.until((events) =>
    events.some((event) => event.subject === `review:${reviewId}`),
  )
  await stack.settle()
  expect(received.socket.connected).toBe(true)
  expect(received.events.some((event) => event.subject === `review:${reviewId}`)).toBe(false)
})

test('a menu removed from a role is removed for all its users, and their rooms end with it', async () => {
  const one = await atWork('quality_inspector')
  const two = await atWork('quality_inspector2')
  const { rows } = await administrator.call(listRoles, { uniqueMark: 'quality_inspector' })
  const { roleId, version, name, uniqueMark, status, dataScope, checkedMenuIds, checkedButtons } =
    await administrator.call(roleDetail, { roleId: rows[0]?.roleId as string })
  const { review_list: _taken, ...buttons } = checkedButtons
  await administrator.call(saveRole, {
    roleId,
    version,
    name,
    uniqueMark,
    status,
    dataScope,
    menuIds: checkedMenuIds.filter((id) => id !== 'M_review_list'),
    buttons,
  })
  for (const { person, received } of [one, two]) {
    expect(
      await within(() => received.events.some((event) => event.type === 'menu.changed')),
    ).toBeLessThan(ONE_SECOND)
    expect((await person.call(currentRole, {})).permissions).not.toContain('review_list:view')
    expect((await received.watch('menu:review_list')).code).not.toBe(200)
  }
})

test('a disabled role signs all its users out', async () => {
  const { person, received } = await atWork('salesman')
  const { rows } = await administrator.call(listRoles, { uniqueMark: 'salesman' })
  const {
    roleId,
    version,
    name,
    uniqueMark,
    dataScope,
    checkedMenuIds: menuIds,
    checkedButtons: buttons,
  } = await administrator.call(roleDetail, { roleId: rows[0]?.roleId as string })
  await administrator.call(saveRole, {
    roleId,
    version,
    name,
    uniqueMark,
    status: 'disabled',
    dataScope,
    menuIds,
    buttons,
  })
  expect(await within(() => received.kicked !== null)).toBeLessThan(ONE_SECOND)
  expect((await person.send(currentRole, {})).code).toBe(401)
})
