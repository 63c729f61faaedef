import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/support/long-first.ts'

export default defineConfig({
  test: {
    include: [
      '{shared,client,gateway}/**/*.test.{ts,tsx}',
      'tests/{architecture,api,realtime,chaos}/**/*.test.ts',
      'tests/e2e/**/*.e2e.ts',
    ],
    // what needs a Redis beside it runs where one is named
    exclude: ['**/node_modules/**', ...(process.env.TEST_REDIS_URL ? [] : ['**/*.redis.test.ts'])],
    setupFiles: ['tests/support/seed.ts'],
    silent: 'passed-only',
    // one database or browser a file: files run side by side. Two cores are the smallest machine; a browser's file and one that kills processes wait half of their time, so four run at once: three left a fifth of the processor idle
    pool: 'forks',
    maxWorkers: 4,
    // a worker reads a module once, not once a file: no test keeps anything in one but numbers that only grow. One project, so that four workers do all of it: five projects began twenty, and transformed every module five times
    isolate: false,
    sequence: { sequencer: LongFirst },
    // the longest tests kill processes for minutes; what is drained is drained when it is there, on a busy machine too
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
