/** `npm run dev`: rebuilds on change and restarts the gateway; the client is rebuilt in place and read anew by the browser. */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { buildClient, buildGateway } from '../esbuild.config.ts'

const ROOT = join(import.meta.dirname, '..')
const SETTLE_MS = 200

let child: ChildProcess | null = null
let timer: NodeJS.Timeout | null = null

async function restart(): Promise<void> {
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

await buildClient({ outdir: join(ROOT, 'dist/client'), minify: false, watch: () => undefined })
await restart()
for (const folder of ['gateway', 'shared']) {
  watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
    if (!file || !/\.(ts|sql)$/.test(file) || file.includes('.test.')) return
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => void restart(), SETTLE_MS)
  })
}
process.on('SIGINT', () => {
  child?.kill('SIGTERM')
  process.exit(0)
})
