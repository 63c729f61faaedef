import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** `npm run test:long`: the long versions, one after the other. Run `npm run build` first. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['tests/long/**/*.long.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
    pool: 'forks',
    fileParallelism: false,
  },
})
