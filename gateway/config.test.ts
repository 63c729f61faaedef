import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#gateway/config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')

test('without settings the console runs whole, with demo data, on this machine only', () => {
  expect(readConfig({}, 'static')).toMatchObject({
    role: 'all',
    host: '127.0.0.1',
    port: 8080,
    seed: 'demo',
    seedSize: 2_000,
    databaseUrl: null,
    production: false,
  })
})

test.each([
  [{ PORT: 'abc' }, 'PORT must be a whole number'],
  [{ PORT: '70000' }, 'PORT must be a whole number'],
  [{ ROLE: 'both' }, 'ROLE must be one of'],
  [{ DATABASE_URL: 'mysql://x', FIELD_KEY: KEY }, 'DATABASE_URL must be a URL'],
  [{ ROLE: 'edge' }, 'MANAGE_URL is needed'],
  [{ ROLE: 'edge', MANAGE_URL: 'http://core:1' }, 'INTERNAL_SECRET'],
  [{ DATABASE_URL: 'postgres://db/x' }, 'FIELD_KEY'],
  [{ FIELD_KEY: 'short' }, 'FIELD_KEY must be 32 bytes'],
  [{ SEAL_KEYS: `1:${KEY}` }, 'SEAL_KEYS must be'],
  [{ SEAL_KEYS: `2:${KEY},2:${KEY}` }, 'SEAL_KEYS must be'],
  [{ SEAL_KEYS: '2:short' }, 'SEAL_KEYS must be'],
  [{ NODE_ENV: 'production', SEED: 'demo' }, 'SEED=demo is refused'],
  [{ DEMO_CLOCK: '25:00' }, 'DEMO_CLOCK must be a time of day'],
  [{ DEMO_CLOCK: '10:00', NODE_ENV: 'production' }, 'DEMO_CLOCK is for a demo'],
  [{ ADMIN_ACCOUNT: 'a' }, 'go together'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, 'TRUSTED_PROXIES must be addresses'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [{ FIELD_KEY_FILE: 'no-such-file' }, 'FIELD_KEY_FILE'],
])('%j is refused with one clear line', (env, line) => {
  expect(() => readConfig(env as Record<string, string>, 'static')).toThrow(ConfigError)
  expect(() => readConfig(env as Record<string, string>, 'static')).toThrow(line)
})

test('with DATABASE_URL there is no demo data', () => {
  expect(readConfig({ DATABASE_URL: 'postgres://db/x', FIELD_KEY: KEY }, 'static')).toMatchObject({
    production: true,
    seed: 'none',
  })
})

test('an edge finds the internal listener beside each of its cores', () => {
  const env = {
    ROLE: 'edge',
    MANAGE_URL: 'http://one:8090, http://two:9000',
    INTERNAL_SECRET: 'x'.repeat(20),
  }
  expect(readConfig(env, 'static').cores).toEqual([
    { calls: 'http://one:8090', internal: 'http://one:8091' },
    { calls: 'http://two:9000', internal: 'http://two:8091' },
  ])
  expect(
    readConfig({ ...env, FEED_URL: 'http://one:1,http://two:2' }, 'static').cores?.[1],
  ).toEqual({ calls: 'http://two:9000', internal: 'http://two:2' })
  expect(() => readConfig({ ...env, FEED_URL: 'http://one:1' }, 'static')).toThrow(
    'FEED_URL must have one address for each of MANAGE_URL',
  )
  expect(() => readConfig({ ...env, MANAGE_URL: 'http://one:1,two' }, 'static')).toThrow(
    'MANAGE_URL must be a URL',
  )
})

test('applications are judged by the built-in rules unless an external engine is set', () => {
  expect(readConfig({}, 'static').machineReview).toBe('rules')
  expect(readConfig({ MACHINE_REVIEW: 'external' }, 'static').machineReview).toBe('external')
  expect(() => readConfig({ MACHINE_REVIEW: 'both' }, 'static')).toThrow(
    'MACHINE_REVIEW must be one of',
  )
})

test('in production nothing is paid out without a vendor, and the sandbox must be chosen', () => {
  const company = { DATABASE_URL: 'postgres://db/x', FIELD_KEY: KEY }
  expect(readConfig({}, 'static').payout).toEqual({ kind: 'sandbox' })
  expect(readConfig(company, 'static').payout).toEqual({ kind: 'none' })
  expect(readConfig({ ...company, PAYOUT_VENDOR: 'sandbox' }, 'static').payout).toEqual({
    kind: 'sandbox',
  })
  const vendor = {
    PAYOUT_VENDOR_URL: 'https://pay.example/v1/',
    PAYOUT_VENDOR_KEY_ID: 'k',
    PAYOUT_VENDOR_SECRET: 's',
    PAYOUT_VENDOR_CODE: 'bank',
  }
  expect(readConfig({ ...company, ...vendor }, 'static').payout).toEqual({
    kind: 'http',
    code: 'bank',
    baseUrl: 'https://pay.example/v1',
    keyId: 'k',
    secret: 's',
  })
})

test('in production vendors are reached by https, and in a private network only when allowed', () => {
  const company = { DATABASE_URL: 'postgres://db/x', FIELD_KEY: KEY }
  const payout = (address: string, more: object = {}) =>
    readConfig(
      {
        ...company,
        PAYOUT_VENDOR_URL: address,
        PAYOUT_VENDOR_KEY_ID: 'k',
        PAYOUT_VENDOR_SECRET: 's',
        ...more,
      },
      'static',
    ).payout
  expect(() => payout('http://pay.example/v1')).toThrow('PAYOUT_VENDOR_URL must begin with https')
  expect(() => payout('https://10.0.0.4/v1')).toThrow('PRIVATE_VENDORS=allowed permits it')
  expect(payout('http://10.0.0.4/v1', { PRIVATE_VENDORS: 'allowed' })).toMatchObject({
    baseUrl: 'http://10.0.0.4/v1',
  })
})

test('in production no message is sent without a vendor', () => {
  const company = { DATABASE_URL: 'postgres://db/x', FIELD_KEY: KEY }
  expect(readConfig({}, 'static').messages).toEqual({ kind: 'sandbox' })
  expect(readConfig(company, 'static').messages).toEqual({ kind: 'none' })
  const vendor = {
    MESSAGE_VENDOR_URL: 'https://sms.example/v1',
    MESSAGE_VENDOR_KEY_ID: 'k',
    MESSAGE_VENDOR_SECRET: 's',
  }
  expect(readConfig({ ...company, ...vendor }, 'static').messages).toEqual({
    kind: 'http',
    code: 'messages',
    baseUrl: 'https://sms.example/v1',
    keyId: 'k',
    secret: 's',
  })
  expect(() => readConfig({ MESSAGE_VENDOR_URL: 'https://sms.example' }, 'static')).toThrow(
    'MESSAGE_VENDOR_KEY_ID',
  )
})
