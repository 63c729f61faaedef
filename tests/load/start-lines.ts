/**
 * The time of the first start with its demo book, and of a restart, until the login answers,
 * compared with PGlite alone.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_PASSWORD } from '#gateway/manage/demo/accounts.ts'
import { freePort } from '#tests/support/stack.ts'
import { median, sharedNow } from './measure.ts'
import { startConsole } from './processes.ts'
import { type Line, short } from './table.ts'

const RESTARTS = 3
const PATIENCE_MS = 90_000

type Answers = (url: string) => Promise<boolean>

export async function startLines(): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'console-bench-start-'))
  try {
    const first = { product: 0, bare: 0 }
    const again: { product: number[]; bare: number[] } = { product: [], bare: [] }
    for (let n = 0; n <= RESTARTS; n += 1) {
      const bare = await startMs('bare-start', { DATA_DIR: join(folder, 'bare') }, (url) =>
        fetch(url).then(({ ok }) => ok),
      )
      const product = await startMs('main', { DATA_DIR: join(folder, 'console') }, canLogIn)
      if (n === 0) Object.assign(first, { product, bare })
      else {
        again.product.push(product)
        again.bare.push(bare)
      }
    }
    const [restart, bareRestart] = [median(again.product), median(again.bare)]
    return [
      {
        what: 'first start of the built console to a login, demo book of 2,000 customers included',
        ratio: first.product / first.bare,
        target: '≤ 25 s',
        pass: first.product <= 25_000,
        product: seconds(first.product),
        baseline: `${seconds(first.bare)} PGlite alone`,
      },
      {
        what: 'restart to a login',
        ratio: restart / bareRestart,
        target: '≤ 3 s',
        pass: restart <= 3_000,
        product: seconds(restart),
        baseline: `${seconds(bareRestart)} PGlite alone`,
      },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Milliseconds from the start of the process to its first successful answer; then it is stopped.
 * @throws Error when it ends or never answers
 */
async function startMs(
  script: string,
  env: Record<string, string>,
  answers: Answers,
): Promise<number> {
  const port = String(await freePort())
  const begin = sharedNow()
  const running = startConsole(script, { ...env, PORT: port })
  try {
    while (!(await answers(`http://127.0.0.1:${port}`).catch(() => false))) {
      if (running.hasEnded()) throw new Error(`${script} ended instead of answering`)
      if (sharedNow() - begin > PATIENCE_MS)
        throw new Error(`${script} did not answer within ${PATIENCE_MS} ms`)
      await new Promise((resume) => setTimeout(resume, 25))
    }
    return sharedNow() - begin
  } finally {
    await running.stop()
  }
}

async function canLogIn(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/manage/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'manager', password: DEMO_PASSWORD }),
  })
  return ((await answer.json()) as { code: number }).code === 200
}

function seconds(ms: number): string {
  return `${short(ms / 1_000)} s`
}
