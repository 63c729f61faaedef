/** Consoles as processes of their own that a test may kill, and that end with the test. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { type RunningConsole, spawnConsole } from './stack.ts'

const MAIN = join(import.meta.dirname, '..', '..', 'dist', 'gateway', 'main.js')

function requireBuild(): void {
  if (!existsSync(MAIN)) throw new Error('The built console is missing: run `npm run build` first.')
}

/** Milliseconds from the start of the process to its first answer. */
export interface StartedConsole extends RunningConsole {
  startMs: number
}

export class ConsoleProcesses {
  readonly #running: RunningConsole[] = []

  /** @throws Error with its output when it ends instead of answering */
  async start(env: Record<string, string>): Promise<StartedConsole> {
    requireBuild()
    const began = performance.now()
    const running = await spawnConsole(env)
    this.#running.push(running)
    return { ...running, startMs: Math.round(performance.now() - began) }
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map((running) => running.kill('SIGKILL')))
  }
}

/** A start that is expected to fail: its exit code and its output. */
export async function failedStart(
  env: Record<string, string>,
): Promise<{ code: number | null; output: string; ms: number }> {
  requireBuild()
  const began = performance.now()
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  return { code, output: output.trim(), ms: Math.round(performance.now() - began) }
}
