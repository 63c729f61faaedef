import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/support/long-first.ts'

// one database or browser a file: files run side by side. Two cores are the smallest machine; a browser's file and one that kills processes wait half of their time, so four run at once: three left a fifth of the processor idle
// a worker reads a module once, not once a file: no test keeps anything in one but numbers that only grow
// what needs a Redis beside it runs where one is named
const withoutRedis = process.env.TEST_REDIS_URL ? [] : ['**/*.redis.test.ts']
// what is drained is drained when it is there, on a busy machine too
const expectations = { poll: { timeout: 15_000 } }
const common = { expect: expectations, exclude: ['**/node_modules/**', ...withoutRedis], testTimeout: 60_000, hookTimeout: 120_000, pool: 'forks' as const, setupFiles: ['tests/support/seed.ts'] }

export default defineConfig({
  test: {
    silent: 'passed-only',
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...common, name: 'unit', isolate: false, include: ['{shared,client}/**/*.test.{ts,tsx}', 'tests/architecture/**/*.test.ts', 'gateway/*.test.ts', 'gateway/kernel/**/*.test.ts'] } },
      { test: { ...common, name: 'api', isolate: false, include: ['gateway/{edge,manage}/**/*.test.ts', 'tests/api/**/*.test.ts'] } },
      { test: { ...common, name: 'realtime', isolate: false, include: ['tests/realtime/**/*.test.ts'], testTimeout: 180_000 } },
      { test: { ...common, name: 'chaos', isolate: false, include: ['tests/chaos/**/*.test.ts'], testTimeout: 300_000 } },
      { test: { ...common, name: 'e2e', isolate: false, include: ['tests/e2e/**/*.e2e.ts'], testTimeout: 120_000 } },
    ],
  },
})
