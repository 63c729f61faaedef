import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { UNREAD_HEADER } from '#shared/kernel/endpoint.ts'
import { type EdgeUnderTest, edgeUnderTest } from '#gateway/edge/testing/edge-under-test.ts'
import { fakeManage } from '#gateway/edge/testing/fake-manage.ts'

type Answering = (request: IncomingMessage, response: ServerResponse) => void

interface PlainCore {
  url: string
  /** Bodies of the calls it received. */
  bodies: string[]
  answer: Answering
  close(): void
}

const OK: Answering = (_request, response) =>
  response.setHeader('content-type', 'application/json').end('{"code":200,"msg":"","data":"ok"}')
const CLOSING: Answering = (_request, response) =>
  response.writeHead(503, { [UNREAD_HEADER]: 'closing', connection: 'close' }).end('{}')
const CUT_OFF: Answering = (request) => request.socket.resetAndDestroy()
const SILENT: Answering = () => undefined
/** Later than the edge has patience for a sign of life. */
const SLOW: Answering = (request, response) => void setTimeout(() => OK(request, response), 400)

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Calls and health at one address: `/healthz` is answered like any call. */
async function plainCore(answer: Answering): Promise<PlainCore> {
  const core: PlainCore = { url: '', bodies: [], answer, close: () => closeAll(server) }
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/api/')) return core.answer(request, response)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      core.bodies.push(Buffer.concat(parts).toString())
      core.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  core.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  open.push(core)
  return core
}

function closeAll(server: Server): void {
  server.close()
  server.closeAllConnections()
}

async function edgeBefore(first: Answering, second: Answering) {
  const cores = [await plainCore(first), await plainCore(second)] as const
  const fake = await fakeManage()
  const t: EdgeUnderTest = await edgeUnderTest(
    {
      // the feed of each answers as the health of its core
      cores: cores.map(({ url }) => ({ calls: url, internal: url })),
      limits: { coreWatchMs: 100, coreSilenceMs: 90 },
    },
    fake,
  )
  open.push(t, fake)
  const post = async (headers: Record<string, string>, body = '{"a":1}') => {
    const answer = await fetch(`${t.url}/api/manage/order/pay`, { method: 'POST', headers, body })
    return { status: answer.status, ...((await answer.json()) as { data: unknown }) }
  }
  return { t, cores, post }
}

test('a call that a closing core did not look at is made at the other one, with its body', async () => {
  const { cores, post } = await edgeBefore(CLOSING, OK)
  for (let n = 0; n < 4; n += 1) expect(await post({})).toMatchObject({ status: 200, data: 'ok' })
  expect(cores[1].bodies).toEqual(Array.from({ length: 4 }, () => '{"a":1}'))
})

test('a core that refuses connections costs no call, not even a large upload', async () => {
  const { cores, post } = await edgeBefore(OK, OK)
  cores[0].close()
  const large = 'x'.repeat(300_000)
  for (let n = 0; n < 4; n += 1) expect(await post({}, large)).toMatchObject({ status: 200 })
  expect(cores[1].bodies.filter((body) => body === large)).toHaveLength(4)
})

test('a call under a key that was cut off is repeated, one without is not', async () => {
  const { cores, post } = await edgeBefore(CUT_OFF, OK)
  for (let n = 0; n < 4; n += 1)
    expect(await post({ 'idempotency-key': `key-${n}-000000` })).toMatchObject({ status: 200 })
  cores[1].answer = CUT_OFF
  const before = cores[0].bodies.length + cores[1].bodies.length
  expect(await post({})).toMatchObject({ status: 502, problem: { id: 'G-DOWN' } })
  expect(cores[0].bodies.length + cores[1].bodies.length).toBe(before + 1)
})

test('a call that waits for a core that became silent is made at the other one', async () => {
  const { t, cores, post } = await edgeBefore(OK, OK)
  for (const core of cores) {
    core.answer = SILENT
    const began = performance.now()
    const calls = Array.from({ length: 4 }, (_, n) => post({ 'idempotency-key': `k-${n}-000000` }))
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ status: 200 })
    expect(performance.now() - began).toBeLessThan(2_000)
    core.answer = OK
    const end = Date.now() + 5_000
    const isBack = () =>
      t.lines.findLast((line) => line.includes(core.url))?.includes('"state":"ready"')
    while (!isBack() && Date.now() < end) await new Promise((resume) => setTimeout(resume, 10))
    expect(isBack()).toBe(true)
  }
})

test('a call waits for a silent core while no other one is ready', async () => {
  const { t, cores, post } = await edgeBefore(OK, OK)
  cores[0].close()
  cores[1].answer = SLOW
  const silent = () => t.lines.some((line) => line.includes('"state":"silent"'))
  const calls: ReturnType<typeof post>[] = []
  while (!silent()) {
    calls.push(post({ 'idempotency-key': `k-${calls.length}-000000` }))
    await new Promise((resume) => setTimeout(resume, 20))
  }
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ status: 200 })
})
