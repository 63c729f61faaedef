import { expect, test } from 'vitest'
import { createLogger } from '#gateway/kernel/logger.ts'
import { runShutdown } from '#gateway/kernel/shutdown.ts'

const logger = createLogger('silent')

test('steps run one after another', async () => {
  const seen: string[] = []
  const outcome = await runShutdown(
    [
      { name: 'edge', run: async () => void (await Promise.resolve(), seen.push('edge')) },
      { name: 'manage', run: () => void seen.push('manage') },
    ],
    logger,
  )
  expect([outcome, ...seen]).toEqual(['clean', 'edge', 'manage'])
})

test('a failing step does not keep the next from running', async () => {
  const seen: string[] = []
  const outcome = await runShutdown(
    [
      { name: 'edge', run: () => Promise.reject(new Error('no')) },
      { name: 'manage', run: () => void seen.push('manage') },
    ],
    logger,
  )
  expect([outcome, ...seen]).toEqual(['failed', 'manage'])
})

test('a step that does not end is abandoned at the time limit', async () => {
  expect(
    await runShutdown([{ name: 'stuck', run: () => new Promise(() => undefined) }], logger, 20),
  ).toBe('late')
})
