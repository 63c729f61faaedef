/** The only file that reads the environment. A wrong setting is one clear line. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { trustedProxies } from '#gateway/edge/client-address.ts'
import { LOG_LEVELS, type LogLevel } from '#gateway/kernel/logger.ts'
import { type AddressFault, addressFault } from '#gateway/kernel/outbound-address.ts'
import { parseSealKeys } from '#gateway/manage/kernel/seal-keys.ts'
import type { SealKey } from '#gateway/manage/kernel/secrets.ts'

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export interface Config {
  role: 'all' | 'edge' | 'manage'
  host: string
  port: number
  /** Feed, metrics and health for other processes; 0 = none (one process needs none). */
  internalPort: number
  dataDir: string
  /** Where an embedded book is copied to every five minutes; null = nowhere. */
  backupDir: string | null
  /** Where anchors of the operate log are kept; null = in the process log only. */
  anchorFile: string | null
  /** Where entries of the operate log go after their term; null = they stay in the database. */
  logArchiveDir: string | null
  databaseUrl: string | null
  redisUrl: string | null
  /** Cores behind the edge, calls and internal listener of each; null = the bundled manage. */
  cores: { calls: string; internal: string }[] | null
  internalSecret: string | null
  /** 32 bytes, base64; null = made once in the data directory. */
  fieldKey: Buffer | null
  /** Keys that seal in its place (secrets.ts); null = those of the data directory. */
  sealKeys: SealKey[] | null
  /** Number of the key that seals; null = the highest there is. */
  sealWith: number | null
  seed: 'demo' | 'none'
  seedSize: number
  /** `HH:MM` in India at which a start begins a day of the demo; null = the clock goes on. */
  demoClock: string | null
  logLevel: LogLevel
  publicOrigins: string[] | null
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[]
  production: boolean
  administrator: { account: string; password: string } | null
  /**
   * `none`: passed orders wait; a sandbox pays nobody and is therefore never taken by itself in
   * production.
   */
  payout:
    | { kind: 'none' }
    | { kind: 'sandbox' }
    | { kind: 'http'; code: string; baseUrl: string; keyId: string; secret: string }
  /**
   * `none`: borrowers get no notice of outside agents, so their cases wait; the sandbox sends nothing
   * and is never taken by itself in production.
   */
  messages:
    | { kind: 'none' }
    | { kind: 'sandbox' }
    | { kind: 'http'; code: string; baseUrl: string; keyId: string; secret: string }
  /** `none`: the robot's tasks wait; a sandbox calls nobody and is never taken by itself in production. */
  aiCalls:
    | { kind: 'none' }
    | { kind: 'sandbox' }
    | { kind: 'http'; code: string; baseUrl: string; keyId: string; secret: string }
  /**
   * Who judges applications: the rules of this installation, or an engine elsewhere that answers
   * with a machine key.
   */
  machineReview: MachineReview
  /** Vendors may be in the own network, also without TLS. */
  privateVendors: boolean
  staticDir: string
}

export type MachineReview = 'rules' | 'external'

type Env = Record<string, string | undefined>

const ADDRESS_FAULTS: Record<AddressFault, string> = {
  malformed: 'is no address',
  credentials: 'must not contain a user name or password',
  notHttps: 'must begin with https: what is sent there must not travel in clear',
  private: 'lies in the own network; PRIVATE_VENDORS=allowed permits it',
}

const DEFAULT_CUSTOMERS = 2_000

/** @throws ConfigError naming the setting and what is wrong with it */
export function readConfig(env: Env, staticDir: string): Config {
  const text = (name: string): string | null => {
    const file = env[`${name}_FILE`]
    if (file) {
      try {
        return readFileSync(file, 'utf8').trim()
      } catch {
        throw new ConfigError(`${name}_FILE: the file cannot be read`)
      }
    }
    const value = env[name]?.trim()
    return value ? value : null
  }
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    const n = Number(value)
    if (!Number.isInteger(n) || n < min || n > max)
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`)
    return n
  }
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback
    if (!(values as readonly string[]).includes(value))
      throw new ConfigError(`${name} must be one of ${values.join(', ')}`)
    return value as T
  }
  const checkedUrl = (name: string, value: string, schemes: readonly string[]): string => {
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : ''
    if (!schemes.includes(scheme))
      throw new ConfigError(`${name} must be a URL with ${schemes.join(' or ')}://`)
    return value
  }
  const url = (name: string, schemes: readonly string[]): string | null => {
    const value = text(name)
    return value === null ? null : checkedUrl(name, value, schemes)
  }
  const urls = (name: string): string[] | null =>
    text(name)
      ?.split(',')
      .map((one) => checkedUrl(name, one.trim(), ['http', 'https'])) ?? null

  const proxies = (): string[] => {
    const entries =
      text('TRUSTED_PROXIES')
        ?.split(',')
        .map((entry) => entry.trim()) ?? []
    try {
      trustedProxies(entries)
    } catch {
      throw new ConfigError('TRUSTED_PROXIES must be addresses and CIDR ranges, comma separated')
    }
    return entries
  }

  const dataDir = resolve(text('DATA_DIR') ?? '.data')
  const role = oneOf('ROLE', ['all', 'edge', 'manage'] as const, 'all')
  const databaseUrl = url('DATABASE_URL', ['postgres', 'postgresql'])
  const production = text('NODE_ENV') === 'production' || databaseUrl !== null
  const manageUrls = urls('MANAGE_URL')
  const feedUrls = urls('FEED_URL')
  const internalPort = whole('INTERNAL_PORT', role === 'manage' ? 8091 : 0, 0, 65_535)
  const internalSecret = text('INTERNAL_SECRET')
  const account = text('ADMIN_ACCOUNT')
  const password = text('ADMIN_PASSWORD')
  const allowPrivate =
    oneOf(
      'PRIVATE_VENDORS',
      ['refused', 'allowed'] as const,
      production ? 'refused' : 'allowed',
    ) === 'allowed'
  /**
   * A vendor is reached by HTTP when all three settings are there, else the sandbox plays one or
   * there is none.
   */
  const vendor = (
    name: 'PAYOUT_VENDOR' | 'MESSAGE_VENDOR' | 'AI_CALL_VENDOR',
    code: string,
  ): Config['payout'] => {
    const [baseUrl, keyId, secret] = [
      url(`${name}_URL`, ['http', 'https']),
      text(`${name}_KEY_ID`),
      text(`${name}_SECRET`),
    ]
    if (new Set([baseUrl, keyId, secret].map((value) => value === null)).size > 1)
      throw new ConfigError(`${name}_URL, ${name}_KEY_ID and ${name}_SECRET go together`)
    const fault = baseUrl === null ? null : addressFault(baseUrl, { allowPrivate })
    if (fault !== null) throw new ConfigError(`${name}_URL ${ADDRESS_FAULTS[fault]}`)
    if (baseUrl === null || keyId === null || secret === null)
      return { kind: oneOf(name, ['none', 'sandbox'] as const, production ? 'none' : 'sandbox') }
    return {
      kind: 'http',
      code: text(`${name}_CODE`) ?? code,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      keyId,
      secret,
    }
  }
  const sealKeysText = text('SEAL_KEYS')
  const sealKeys = sealKeysText === null ? null : parseSealKeys(sealKeysText)
  const fieldKeyText = text('FIELD_KEY')
  const fieldKey = fieldKeyText === null ? null : Buffer.from(fieldKeyText, 'base64')

  if (role === 'edge' && manageUrls === null)
    throw new ConfigError('MANAGE_URL is needed when ROLE=edge')
  if (role !== 'edge' && manageUrls !== null)
    throw new ConfigError(
      'MANAGE_URL goes with ROLE=edge; the bundled manage is not started beside another core',
    )
  if (feedUrls !== null && feedUrls.length !== manageUrls?.length)
    throw new ConfigError('FEED_URL must have one address for each of MANAGE_URL, in its order')
  if (role !== 'all' && (internalSecret === null || internalSecret.length < 16))
    throw new ConfigError(
      'INTERNAL_SECRET of at least 16 characters is needed when edge and manage run apart',
    )
  if (fieldKey !== null && fieldKey.length !== 32)
    throw new ConfigError('FIELD_KEY must be 32 bytes in base64')
  if (
    sealKeys?.some(
      ({ id, key }, i) =>
        !(id >= 2 && id <= 255) ||
        key.length !== 32 ||
        sealKeys.findIndex((one) => one.id === id) !== i,
    )
  )
    throw new ConfigError(
      'SEAL_KEYS must be NUMBER:KEY, comma separated: numbers from 2 to 255, each once, keys of 32 bytes in base64',
    )
  if (role !== 'edge' && databaseUrl !== null && fieldKey === null)
    throw new ConfigError(
      'FIELD_KEY (32 bytes in base64) is needed with DATABASE_URL: every process must open the same sealed fields',
    )
  if ((account === null) !== (password === null))
    throw new ConfigError('ADMIN_ACCOUNT and ADMIN_PASSWORD go together')
  // demo people with a known password never meet a company's database
  const seed = oneOf('SEED', ['demo', 'none'] as const, production ? 'none' : 'demo')
  if (seed === 'demo' && production) throw new ConfigError('SEED=demo is refused in production')
  const demoClock = text('DEMO_CLOCK')
  if (demoClock !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(demoClock))
    throw new ConfigError('DEMO_CLOCK must be a time of day, HH:MM')
  if (demoClock !== null && (production || role !== 'all'))
    throw new ConfigError('DEMO_CLOCK is for a demo in one process and is refused elsewhere')

  return {
    role,
    host: text('HOST') ?? '127.0.0.1',
    port: whole('PORT', 8080, 0, 65_535),
    internalPort,
    dataDir,
    backupDir: outside(dataDir, text('BACKUP_DIR')),
    anchorFile: text('ANCHOR_FILE') ?? (databaseUrl === null ? join(dataDir, 'anchors.log') : null),
    logArchiveDir:
      text('LOG_ARCHIVE_DIR') ?? (databaseUrl === null ? join(dataDir, 'operate-log') : null),
    databaseUrl,
    redisUrl: url('REDIS_URL', ['redis', 'rediss']),
    cores:
      manageUrls?.map((calls, i) => ({
        calls,
        internal: feedUrls?.[i] ?? beside(calls, internalPort === 0 ? 8091 : internalPort),
      })) ?? null,
    internalSecret,
    fieldKey,
    sealKeys,
    sealWith: text('SEAL_WITH') === null ? null : whole('SEAL_WITH', 1, 1, 255),
    seed,
    seedSize: whole('SEED_SIZE', DEFAULT_CUSTOMERS, 50, 1_000_000),
    demoClock,
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, production ? 'info' : 'warn'),
    publicOrigins:
      text('PUBLIC_ORIGIN')
        ?.split(',')
        .map((origin) => origin.trim()) ?? null,
    trustedProxies: proxies(),
    production,
    administrator: account !== null && password !== null ? { account, password } : null,
    payout: vendor('PAYOUT_VENDOR', 'payout'),
    messages: vendor('MESSAGE_VENDOR', 'messages'),
    aiCalls: vendor('AI_CALL_VENDOR', 'aiCalls'),
    machineReview: oneOf('MACHINE_REVIEW', ['rules', 'external'] as const, 'rules'),
    privateVendors: allowPrivate,
    staticDir,
  }
}

/** @throws ConfigError for a directory that would be copied into itself */
function outside(dataDir: string, backupDir: string | null): string | null {
  if (backupDir !== null && `${resolve(backupDir)}/`.startsWith(`${resolve(dataDir)}/`))
    throw new ConfigError('BACKUP_DIR must lie outside of DATA_DIR')
  return backupDir === null ? null : resolve(backupDir)
}

function beside(url: string, port: number): string {
  const other = new URL(url)
  other.port = String(port)
  return other.origin
}
