/**
 * Rights that are taken away while the person works: two edges before two cores, whose session
 * caches are warm because calls and sockets of the person go on without a pause. Within a second
 * no call is answered by either core, and no socket of either edge has the old rooms.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { listRoles, roleDetail, saveRole } from '#shared/access/roles-api.ts'
import { editUser, listUsers, setUserStatus } from '#shared/access/users-api.ts'
import { currentRole, logout } from '#shared/session/session-api.ts'
import { ANNOUNCEMENT_PUBLISHED } from '#shared/announcements/announcements-live.ts'
import { makeLeader, makeUnit } from '#tests/factories/units.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { startStack, type Stack } from '#tests/support/stack.ts'
import { type Listener, WebPerson } from '#tests/support/web-person.ts'

const ONE_SECOND = 1_000
/** Longer than a cached session is believed. */
const WARM_MS = 900

let stack: Stack
let administrator: WebPerson
const open: Listener[] = []
const working: AtWork[] = []
beforeAll(async () => {
  stack = await startStack({ edges: 2, cores: 2 })
  administrator = await WebPerson.signIn(stack.url, 'administrator')
})
afterAll(async () => {
  for (const { rest } of working) await rest()
  for (const listener of open) listener.close()
  await stack.close()
})

interface AtWork {
  person: WebPerson
  /** One socket on each edge. */
  sockets: Listener[]
  row: DataOf<typeof editUser>
  rest(): Promise<void>
}

/** Calls through both edges, and so at both cores, until told to rest. */
async function atWork(account: string): Promise<AtWork> {
  const person = await WebPerson.signIn(stack.url, account)
  const tabs = stack.urls.map((url) => tabOf(person, url))
  const sockets = await Promise.all(tabs.map((tab) => tab.listen().ready()))
  open.push(...sockets)
  let resting = false
  const calling = Promise.all(
    tabs.map(async (tab) => {
      while (!resting) {
        await tab.send(currentRole, {})
        await pause(5)
      }
    }),
  )
  await pause(WARM_MS)
  const { rows } = await administrator.call(listUsers, { account })
  const at = {
    person,
    sockets,
    row: rows.find((one) => one.account === account) as DataOf<typeof editUser>,
    async rest() {
      resting = true
      await calling
    },
  }
  working.push(at)
  return at
}

function tabOf({ account, token }: WebPerson, url: string): WebPerson {
  return Object.assign(new WebPerson(url, account), { token })
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms))
}

/** Milliseconds until the condition holds six times in a row, so at both cores of both edges. */
async function settles(isSo: (url: string) => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now()
  let since = 0
  for (let held = 0; held < 6;) {
    if (performance.now() - start > 10_000) throw new Error('not within 10 s')
    if (await isSo(stack.urls[held % stack.urls.length] as string)) {
      if (held === 0) since = performance.now() - start
      held += 1
    } else {
      held = 0
      await pause(5)
    }
  }
  return since
}

test.each<[string, string, (at: AtWork) => Promise<unknown>]>([
  ['who signed out', 'reviewer3', ({ person }) => person.call(logout, {})],
  [
    'whose account was disabled',
    'reviewer4',
    ({ row: { userId, version } }) =>
      administrator.call(setUserStatus, { userId, version, status: 'disabled' }),
  ],
  ['whose role was disabled', 'salesman', () => changeRole('salesman', { status: 'disabled' })],
])('a person %s has no socket and no call left at any core', async (_title, account, takeAway) => {
  const at = await atWork(account)
  await takeAway(at)
  const measured = await Promise.all([
    settles(() => at.sockets.every(({ socket, kicked }) => kicked !== null && !socket.connected)),
    settles(async (url) => (await tabOf(at.person, url).send(currentRole, {})).code !== 200),
  ])
  await at.rest()
  const [sockets, calls] = measured.map(Math.round)
  expect({ sockets, calls }).toSatisfy(() => Math.max(...measured) < ONE_SECOND)
})

test('a person with another role is in the rooms of that role only', async () => {
  const at = await atWork('reviewer5')
  const { rows } = await administrator.call(listRoles, { uniqueMark: 'customer_service' })
  const { userId, version, nickname, language, allocationFlag } = at.row
  const roleId = rows[0]?.roleId as string
  await administrator.call(editUser, {
    userId,
    version,
    nickname,
    language,
    allocationFlag,
    roleId,
  })
  await expectMoved(at, 'role:reviewer', 'role:customer_service')
})

test('a person who moved to another agency is in the rooms of that agency only', async () => {
  const [from, to] = [await makeUnit(stack), await makeUnit(stack)]
  const { account } = await makeLeader(stack, from, 'external_supervisor')
  const at = await atWork(account)
  const { userId, version, nickname, language, allocationFlag, roleId } = at.row
  await administrator.call(editUser, {
    userId,
    version,
    nickname,
    language,
    allocationFlag,
    roleId,
    agencyId: to.agencyId,
  })
  await expectMoved(at, `scope:agency:${from.agencyId}`, `scope:agency:${to.agencyId}`)
})

test('people of a role with another scope are in the rooms of that scope only', async () => {
  const unit = await makeUnit(stack)
  const { account } = await makeLeader(stack, unit, 'internal_supervisor')
  const at = await atWork(account)
  const { rows } = await administrator.call(listRoles, { uniqueMark: 'internal_supervisor' })
  const { dataScope } = await administrator.call(roleDetail, { roleId: rows[0]?.roleId as string })
  expect(dataScope).toBe('department')
  await changeRole('internal_supervisor', { dataScope: 'agency' })
  await expectMoved(at, `scope:dept:${unit.departmentId}`, `scope:agency:${unit.agencyId}`)
})

/** One second after the change no event of the old room arrives, and every one of the new. */
async function expectMoved({ sockets, rest }: AtWork, from: string, to: string): Promise<void> {
  await pause(ONE_SECOND)
  await announce(from, 'old')
  await announce(to, 'new')
  for (const socket of sockets) {
    await socket.until((events) => events.some(({ data }) => data.noticeId === 'new'), 5_000)
    expect(socket.events.filter(({ data }) => data.noticeId === 'old')).toEqual([])
    expect(socket.socket.connected).toBe(true)
  }
  await rest()
}

async function announce(room: string, noticeId: string): Promise<void> {
  await runCommand(
    stack.context,
    { actor: systemActor('test'), audit: { action: 'publish' } },
    async (tx) =>
      tx.emit(ANNOUNCEMENT_PUBLISHED, {
        subject: `notice:${noticeId}`,
        rooms: [room],
        data: { noticeId, popCondition: 'none' },
      }),
  )
}

async function changeRole(
  uniqueMark: string,
  change: Partial<Pick<DataOf<typeof roleDetail>, 'status' | 'dataScope'>>,
): Promise<void> {
  const { rows } = await administrator.call(listRoles, { uniqueMark })
  const { roleId, version, name, status, dataScope, checkedMenuIds, checkedButtons } =
    await administrator.call(roleDetail, { roleId: rows[0]?.roleId as string })
  await administrator.call(saveRole, {
    roleId,
    version,
    name,
    uniqueMark,
    status,
    dataScope,
    menuIds: checkedMenuIds,
    buttons: checkedButtons,
    ...change,
  })
}
