import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/support/long-first.ts'

export default defineConfig({
  test: {
    include: [
      '{shared,client,gateway}/**/*.test.{ts,tsx}',
      'tests/{architecture,api,realtime,chaos}/**/*.test.ts',
      'tests/e2e/**/*.e2e.ts',
    ],
    // Tests that need Redis run where one is configured.
    exclude: ['**/node_modules/**', ...(process.env.TEST_REDIS_URL ? [] : ['**/*.redis.test.ts'])],
    setupFiles: ['tests/support/seed.ts'],
    globalSetup: ['tests/support/say-races.ts'],
    silent: 'passed-only',
    // Each file has its own database or browser, so files run side by side. The smallest machine
    // has two cores; files with a browser or killed processes wait half of their time, so four run
    // at once: with three, a fifth of the processor time was idle.
    pool: 'forks',
    maxWorkers: 4,
    // With the usual 16 MB a third of the processor time of a worker is spent on clearing young objects.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=32'],
    // A worker loads a module once, not once per file; tests keep no module state except counters.
    // One project, because five projects started twenty workers and transformed every module five
    // times.
    isolate: false,
    // The next run reads what this one transformed: a third of the processor time of a single file.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongFirst },
    // The longest tests kill processes for minutes; the hooks wait longer on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
