import { expect, test } from 'vitest'
import { edgeUnderTest } from '#gateway/edge/testing/edge-under-test.ts'
import { fakeManage } from '#gateway/edge/testing/fake-manage.ts'

test('without Redis at its address everything but shared presence works, and starting does not wait', async () => {
  const manage = await fakeManage()
  manage.addSession('anu', {
    userId: 'anu',
    rooms: ['all'],
    watchable: { 'review:x': ['review:x'] },
  })
  const edge = await edgeUnderTest({ redisUrl: 'redis://127.0.0.1:1' }, manage)
  const anu = await edge.connect('anu').live()
  expect((await anu.send('watch', { kind: 'review', key: 'x' })).code).toBe(200)
  const seq = manage.append({ subject: 'review:x', audience: ['review:x'] })
  await anu.reaches(seq)
  expect(anu.seqs).toEqual([seq])
  await edge.close()
  await manage.close()
})
