/**
 * `npm run dev`: rebuilds on change and restarts the gateway, which looks for the files of the
 * client when it starts; the browser reloads them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildClient, buildGateway } from '../esbuild.config.ts'

const ROOT = join(import.meta.dirname, '..')
const SETTLE_MS = 200

let child: ChildProcess | null = null
let timer: NodeJS.Timeout | null = null
/** One after the other. */
let restarts = Promise.resolve()

async function replaceChild(): Promise<void> {
  try {
    await buildGateway({ outdir: join(ROOT, 'dist/gateway') })
  } catch {
    // esbuild has printed what is wrong; the running gateway stays until the next change
    return
  }
  const old = child
  if (old && old.exitCode === null) {
    await new Promise<void>((resolve) => {
      old.once('exit', () => resolve())
      old.kill('SIGTERM')
    })
  }
  child = spawn(process.execPath, [join(ROOT, 'dist/gateway/main.js')], { stdio: 'inherit' })
}

function restartSoon(): void {
  if (timer) clearTimeout(timer)
  timer = setTimeout(() => {
    restarts = restarts.then(replaceChild)
  }, SETTLE_MS)
}

// the first build of the client starts the gateway, each later one starts it again
await buildClient({
  outdir: join(ROOT, 'dist/client'),
  minify: false,
  watch: (failed) => void (failed || restartSoon()),
})
for (const folder of ['gateway', 'shared']) {
  watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
    if (file && /\.(ts|sql)$/.test(file) && !file.includes('.test.')) restartSoon()
  })
}
process.on('SIGINT', () => {
  child?.kill('SIGTERM')
  process.exit(0)
})
