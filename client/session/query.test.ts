import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query.ts'

afterEach(() => queryClient.clear())

/** An answer that is shown, each read of which is answered by hand. */
function shown(path: string) {
  const reads: ((answer: string) => void)[] = []
  const observer = new QueryObserver(queryClient, {
    queryKey: [path],
    queryFn: ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        reads.push(resolve)
        signal.addEventListener('abort', () => reject(new Error('cut off')))
      }),
  })
  const close = observer.subscribe(() => undefined)
  const current = () => observer.getCurrentResult().data
  return { reads, shownData: current, close, refetch: () => observer.refetch() }
}

test('a change during the first read is shown, however old the answer of that read', async () => {
  const { reads, shownData, refetch } = shown('/job/list')
  const done = [queryClient.invalidateQueries({ queryKey: ['/job/list'] }), refetch()]
  expect(reads).toHaveLength(1)
  reads[0]?.('running')
  await expect.poll(() => reads.length).toBe(2)
  expect(shownData()).toBe('running')
  reads[1]?.('done')
  await Promise.all(done)
  expect([shownData(), reads.length]).toEqual(['done', 2])
})

test('a change during a later read cuts it off', async () => {
  const { reads, shownData, refetch } = shown('/job/list')
  reads[0]?.('queued')
  await expect.poll(shownData).toBe('queued')
  void refetch()
  const done = queryClient.invalidateQueries()
  reads[1]?.('running')
  reads[2]?.('done')
  await done
  expect([shownData(), reads.length]).toEqual(['done', 3])
})

test('what is no longer shown when its first read ends is not read again', async () => {
  const { reads, close } = shown('/job/list')
  const done = queryClient.invalidateQueries()
  close()
  await done
  expect(reads).toHaveLength(1)
})
