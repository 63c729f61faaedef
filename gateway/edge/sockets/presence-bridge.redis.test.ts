import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { afterEach, test } from 'vitest'
import { type EdgeUnderTest, edgeUnderTest, until } from '#gateway/edge/testing/edge-under-test.ts'
import { type FakeManage, fakeManage } from '#gateway/edge/testing/fake-manage.ts'

// vitest.config.ts runs this file where a Redis is named
const redisUrl = process.env.TEST_REDIS_URL as string
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

async function twoEdges(
  url: string,
  key: string,
): Promise<{ manage: FakeManage; one: EdgeUnderTest; two: EdgeUnderTest }> {
  const manage = await fakeManage()
  open.push(manage)
  for (const name of ['anu', 'bala'])
    manage.addSession(name, {
      userId: name,
      rooms: ['all'],
      watchable: { [`review:${key}`]: [`review:${key}`] },
    })
  const one = await edgeUnderTest({ redisUrl: url }, manage)
  const two = await edgeUnderTest({ redisUrl: url }, manage)
  open.push(one, two)
  return { manage, one, two }
}

function isThere(
  client: { named(name: string): Record<string, unknown>[] },
  userIds: string,
): boolean {
  return (
    (client.named('presence').at(-1)?.members as { userId: string }[] | undefined)
      ?.map((member) => member.userId)
      .join() === userIds
  )
}

test('people at two edges see each other come and go', async () => {
  const key = randomUUID()
  const { one, two } = await twoEdges(redisUrl, key)
  const anu = await one.connect('anu').live()
  await anu.send('watch', { kind: 'review', key })
  const bala = await two.connect('bala').live()
  await bala.send('watch', { kind: 'review', key })
  await until(() => isThere(anu, 'anu,bala') && isThere(bala, 'anu,bala'))
  bala.socket.disconnect()
  await until(() => isThere(anu, 'anu'))
})

test('an edge that starts later gets the people who are present', async () => {
  const key = randomUUID()
  const { manage, one } = await twoEdges(redisUrl, key)
  const anu = await one.connect('anu').live()
  await anu.send('watch', { kind: 'review', key })
  const three = await edgeUnderTest({ redisUrl }, manage)
  open.push(three)
  const bala = await three.connect('bala').live()
  await bala.send('watch', { kind: 'review', key })
  await until(() => isThere(bala, 'anu,bala'))
})

test('the presence of a killed edge ends after its time limit', async () => {
  const key = randomUUID()
  const manage = await fakeManage()
  manage.addSession('anu', { userId: 'anu', rooms: ['all'], watchable: { [`review:${key}`]: [] } })
  const one = await edgeUnderTest(
    { redisUrl, limits: { presencePublishMs: 50, presenceSilentMs: 300 } },
    manage,
  )
  open.push(manage, one)
  const anu = await one.connect('anu').live()
  await anu.send('watch', { kind: 'review', key })
  const killed = createClient({ url: redisUrl })
  await killed.connect()
  const ghost = {
    userId: 'ghost',
    userName: 'Ghost',
    state: 'online',
    since: '2026-11-21T00:00:00.000Z',
    editing: false,
  }
  const publishing = setInterval(
    () =>
      void killed
        .publish(
          'lending-console:presence',
          JSON.stringify({ edge: 'killed', kind: 'all', rooms: [[`review:${key}`, [ghost]]] }),
        )
        // the one under way when the edge is killed
        .catch(() => undefined),
    50,
  )
  await until(() => isThere(anu, 'ghost,anu')).finally(() => clearInterval(publishing))
  killed.destroy()
  await until(() => isThere(anu, 'anu'))
})
