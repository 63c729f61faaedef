/**
 * The checks of `npm test` that run no test, and the build that its browser tests open: at once, each
 * with its output when it ends. Together they take as long as the types do alone.
 */
import { spawn } from 'node:child_process'

const COMMANDS = [
  'oxfmt --check',
  // each further checker does most of the work of the first again
  'tsc --noEmit --checkers 1',
  'oxlint --type-aware',
  'tsx esbuild.config.ts',
]

/** npm puts the commands of the packages on the path. */
function run(command: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
    child.once('close', (code) => {
      process.stdout.write(`> ${command}\n${Buffer.concat(output).toString()}`)
      resolve(code === 0)
    })
  })
}

const passed = await Promise.all(COMMANDS.map(run))
process.exitCode = passed.every(Boolean) ? 0 : 1
