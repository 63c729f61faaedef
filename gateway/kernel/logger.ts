/**
 * One logger for both parts. Values under the names of REDACTED are removed before a line is
 * written, at any depth, and a `url` loses its query string.
 */
import Fastify, { type FastifyBaseLogger } from 'fastify'

export type Logger = FastifyBaseLogger

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const REDACTED = new Set([
  'authorization',
  'cookie',
  'setcookie',
  'password',
  'oldpwd',
  'newpwd',
  'confirmnewpwd',
  'username',
  'phone',
  'pan',
  'aadhaar',
  'account',
  'validsecret',
  'secret',
  'token',
])
const CUT = '[redacted]'
const MAX_DEPTH = 6

/**
 * A JSON logger (pino, through Fastify, which brings it).
 * @param destination where lines go; standard output when absent
 */
export function createLogger(
  level: LogLevel = 'info',
  destination?: { write(line: string): void },
): Logger {
  return Fastify({
    logger: {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { log: (fields) => redact(fields, 0) as Record<string, unknown> },
      // The fields of a child logger do not pass the formatter, only serializers by name.
      serializers: Object.fromEntries([...REDACTED].map((name) => [name, () => CUT])),
      ...(destination ? { stream: destination } : {}),
    },
  }).log
}

function redact(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Error) return value
  if (depth >= MAX_DEPTH) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  const clean: Record<string, unknown> = {}
  for (const [name, item] of Object.entries(value)) {
    if (REDACTED.has(name.toLowerCase().replace(/[-_]/g, ''))) clean[name] = CUT
    else if (name === 'url' && typeof item === 'string') clean[name] = item.split('?', 1)[0]
    else clean[name] = redact(item, depth + 1)
  }
  return clean
}
