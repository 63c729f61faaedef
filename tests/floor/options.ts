/** Command line options of the floor. A wrong option gives one clear line. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { followClockOfBook } from '#gateway/demo-clock.ts'
import { DEMO_PASSWORD } from '#gateway/manage/demo/accounts.ts'
import { DEMO_KEY_FILE } from '#gateway/manage/demo/demo-machine-key.ts'
import type { MachineKey } from '#gateway/manage/kernel/machine.ts'
import { ALL_STAFF } from './staff.ts'

export interface FloorOptions {
  url: string
  rate: number
  minutes: number
  sockets: number
  people: number
  password: string
  key: MachineKey | null
}

const HELP = `Usage: npm run floor -- [options]     plays customers, payments and staff against a running console
  --url ADDRESS      the console                                       http://127.0.0.1:8080
  --rate N           steps a second                                    5
  --minutes N        how long                                          10
  --sockets N        sockets that only listen                          60
  --people N         staff who sign in, at most ${ALL_STAFF}                     as the sockets need, at least 24
  --password TEXT    of the demo accounts                              theirs
  --key-id ID        machine key for the customers' calls; its secret  the demo's own, in DATA_DIR
                     comes from FLOOR_SECRET`
const SECRET = 'FLOOR_SECRET'
const EARS_EACH = 8

/** @throws Error with the message to print */
export function readOptions(
  args: readonly string[],
  env: Record<string, string | undefined>,
): FloorOptions {
  const { values } = parse(args)
  if (values.help) throw new Error(HELP)
  const number = (
    name: 'rate' | 'minutes' | 'sockets' | 'people',
    fallback: number,
    max: number,
  ): number => {
    const text = values[name]
    const value = text === undefined ? fallback : Number(text)
    if (!(value > 0 && value <= max))
      throw new Error(`--${name} must be a number above 0, at most ${max}`)
    return value
  }
  const url = values.url ?? 'http://127.0.0.1:8080'
  if (!URL.canParse(url) || new URL(url).protocol !== 'http:')
    throw new Error('--url must be an http:// address')
  const sockets = Math.floor(number('sockets', 60, ALL_STAFF * EARS_EACH))
  return {
    url: new URL(url).origin,
    rate: number('rate', 5, 1_000),
    minutes: number('minutes', 10, 10_000),
    sockets,
    people: Math.floor(
      number(
        'people',
        Math.min(ALL_STAFF, Math.max(24, Math.ceil(sockets / EARS_EACH))),
        ALL_STAFF,
      ),
    ),
    password: values.password ?? DEMO_PASSWORD,
    key: keyOf(values['key-id'], env),
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: text,
        rate: text,
        minutes: text,
        sockets: text,
        people: text,
        password: text,
        'key-id': text,
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`, {
      cause: error,
    })
  }
}

/**
 * A named key with its secret from the environment, else the one the demo stores beside its
 * database.
 */
function keyOf(
  keyId: string | undefined,
  env: Record<string, string | undefined>,
): MachineKey | null {
  if (keyId !== undefined) {
    const secret = env[SECRET]
    if (!secret) throw new Error(`--key-id needs its secret in ${SECRET}`)
    return { keyId, secret }
  }
  const dataDir = env.DATA_DIR ?? '.data'
  // calls are signed with the time of the console
  followClockOfBook({ dataDir, databaseUrl: null })
  const path = join(dataDir, DEMO_KEY_FILE)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as MachineKey) : null
}
