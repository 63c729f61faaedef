/**
 * The installation of docker-compose.yml, without Docker: every part is started with the
 * environment that the file gives it, on ports of this machine instead of the names of containers.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { anchorsOf } from '#gateway/manage/kernel/chain-signature.ts'
import {
  ConsoleProcesses,
  failedStart,
  type StartedConsole,
} from '#tests/support/console-processes.ts'
import { readCompose } from '#tests/support/compose.ts'
import { onLocalServer } from '#tests/support/local-server.ts'
import { openNewDatabase, withName } from '#tests/support/postgres-server.ts'
import { freePort } from '#tests/support/stack.ts'
import { sql } from 'kysely'

const GIVEN = {
  POSTGRES_PASSWORD: 'a password of the test',
  INTERNAL_SECRET: 'a secret of the compose test',
  FIELD_KEY: Buffer.alloc(32, 5).toString('base64'),
  ADMIN_ACCOUNT: 'root',
  ADMIN_PASSWORD: 'Copper#Kettle7',
  PUBLIC_ORIGIN: 'https://console.example',
}
/** The image says that it is production; logs are kept short here. */
const IMAGE = { NODE_ENV: 'production', LOG_LEVEL: 'error' }
const PARTS = ['manage1', 'manage2', 'edge1', 'edge2'] as const
const processes = new ConsoleProcesses()
afterAll(() => processes.end())

test('the settings required in production are demanded', () => {
  expect(() => readCompose({ ...GIVEN, FIELD_KEY: '' })).toThrow('FIELD_KEY must be given')
})

test('the parts of the compose file start with its environment and let the first administrator in', async () => {
  const database = await onLocalServer(async () => {
    const server = process.env.TEST_DATABASE_URL as string
    const made = await openNewDatabase(server)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      made.database.kysely,
    )
    return { ...made, url: withName(server, rows[0]?.name ?? '') }
  })
  if (database === null) return
  const services = readCompose(GIVEN)
  // outside of containers the parts differ by their ports
  const places = new Map<string, string>()
  for (const name of ['manage1', 'manage2'])
    for (const port of ['8090', '8091'])
      places.set(`${name}:${port}`, `127.0.0.1:${await freePort()}`)
  const placed = (text: string): string =>
    [...places].reduce((so, [from, to]) => so.replaceAll(from, to), text)
  const archive = await mkdtemp(join(tmpdir(), 'operate-log-'))
  const anchors = join(archive, 'anchors.log')
  const started = new Map<string, StartedConsole>()
  const cores: Record<string, string>[] = []
  try {
    for (const name of PARTS) {
      const { environment = {}, healthCheck = [], volumes = [] } = services.get(name) ?? {}
      const env = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, placed(value)]),
      )
      expect(env.HOST).toBe('0.0.0.0')
      if (name.startsWith('manage')) {
        expect(env.DATABASE_URL).toBe(
          `postgres://console:${GIVEN.POSTGRES_PASSWORD}@postgres:5432/console`,
        )
        env.DATABASE_URL = database.url
        // both cores write these to the same volumes
        const { LOG_ARCHIVE_DIR, ANCHOR_FILE = '' } = env
        expect(volumes).toEqual([
          `operate-log:${LOG_ARCHIVE_DIR}`,
          `anchors:${dirname(ANCHOR_FILE)}`,
        ])
        Object.assign(env, { LOG_ARCHIVE_DIR: archive, ANCHOR_FILE: anchors })
        env.PORT = portOf(places.get(`${name}:8090`))
        env.INTERNAL_PORT = portOf(places.get(`${name}:8091`))
        cores.push(env)
      } else {
        expect(env.REDIS_URL).toBe('redis://redis:6379')
        env.REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'
        env.PORT = String(await freePort())
      }
      started.set(name, await processes.start({ ...IMAGE, ...env }))
      const [, ...args] = healthCheck.map((part) =>
        part
          .replaceAll('127.0.0.1:8091', `127.0.0.1:${env.INTERNAL_PORT}`)
          .replaceAll('127.0.0.1:8080', `127.0.0.1:${env.PORT}`),
      )
      expect(spawnSync(process.execPath, args).status).toBe(0)
    }
    const [one, two] = ['edge1', 'edge2'].map((name) => started.get(name))
    expect(one?.output()).toContain('TRUSTED_PROXIES is not set')
    const signedIn = await signIn(one?.url ?? '')
    expect(signedIn.cookie).toMatch(/^__Host-bind=.*; Secure/)
    // the other edge, and either core, know the session
    const answer = await fetch(`${two?.url}/api/manage/get/info`, {
      headers: { authorization: signedIn.token, cookie: signedIn.cookie.split(';')[0] ?? '' },
    })
    expect(await answer.json()).toMatchObject({
      code: 200,
      data: { user: { account: 'root', mustChange: true } },
    })

    // a third core that judges differently, or has another key, does not start beside them
    const [same = {}] = cores
    const other = { ...IMAGE, ...same, PORT: '0', INTERNAL_PORT: '0' }
    for (const [setting, value, line] of [
      [
        'MACHINE_REVIEW',
        'external',
        /runs with MACHINE_REVIEW=rules, this one was started with external\. Stop it first; .+\.$/,
      ],
      [
        'FIELD_KEY',
        Buffer.alloc(32, 6).toString('base64'),
        /: the field key does not open this book \(.+\)\. Set the FIELD_KEY of this book, .+\.$/,
      ],
      [
        'SEAL_KEYS',
        `2:${Buffer.alloc(32, 7).toString('base64')}`,
        /^The console could not start: the core \S+ of this book does not have seal key 2\. Keep SEAL_WITH .+\.$/,
      ],
    ] as const)
      expect(await failedStart({ ...other, [setting]: value })).toMatchObject({
        code: 1,
        output: expect.stringMatching(line),
      })
    const ready = await fetch(`http://127.0.0.1:${same.INTERNAL_PORT}/readyz`)
    expect(await ready.json()).toMatchObject({ status: 'ok', keys: true, agreement: true })

    // a core that stops anchors what it has signed
    expect(await started.get('manage1')?.kill('SIGTERM')).toBe(0)
    expect(anchorsOf(anchors).at(-1)?.no).toBeGreaterThan(0)
  } finally {
    await processes.end()
    await database.close()
    await rm(archive, { recursive: true, force: true })
  }
})

function portOf(place: string | undefined): string {
  return place?.split(':')[1] ?? ''
}

/** As a browser does, which says where a call comes from. */
async function signIn(url: string): Promise<{ token: string; cookie: string }> {
  const answer = await fetch(`${url}/api/manage/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ username: GIVEN.ADMIN_ACCOUNT, password: GIVEN.ADMIN_PASSWORD }),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return {
    token: data.token,
    cookie: answer.headers.getSetCookie().find((c) => /bind=/.test(c)) ?? '',
  }
}
