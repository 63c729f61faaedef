import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Version } from './kernel/health.ts'

/** Version, commit and build id that the build wrote beside the bundle; from source they say so. */
export function readVersion(folder: string): Version {
  const path = join(folder, 'version.json')
  if (!existsSync(path)) return { version: 'source', commit: 'source', build: 'source' }
  return JSON.parse(readFileSync(path, 'utf8')) as Version
}
