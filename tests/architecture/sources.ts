import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')

/** Files git knows or would know, from the root, with `/`. */
export function projectFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 32 * 1024 * 1024,
  })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

export function sourceFiles(): string[] {
  return projectFiles().filter((path) => /^(shared|gateway|client|tests)\/.*\.tsx?$/.test(path))
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"\n]*?(?:from\s+)?['"]([^'"]+)['"]|(?:import|export)\s*(?:type\s*)?\{[^}]*\}\s*from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** Files of the project that a file imports, statically, lazily or as a type. */
export function importsOf(path: string): string[] {
  const found: string[] = []
  for (const match of read(path).matchAll(IMPORT)) {
    const name = match[1] ?? match[2] ?? match[3] ?? ''
    if (name.startsWith('#')) found.push(name.slice(1))
    else if (name.startsWith('.'))
      found.push(normalize(join(dirname(path), name)).replaceAll('\\', '/'))
  }
  return found
}
