// The few facts about PostgreSQL's wire protocol (version 3) that the bridge needs. Every message
// after the startup packet is one type byte, a four-byte length that counts itself, and a body.
// https://www.postgresql.org/docs/15/protocol-message-formats.html

export const HEADER = 5

/** Message types by their byte; the same letter means different things in the two directions. */
export const FROM_CLIENT = {
  bind: 0x42,
  close: 0x43,
  describe: 0x44,
  flush: 0x48,
  parse: 0x50,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
  functionCall: 0x46,
} as const

export const FROM_SERVER = {
  notification: 0x41,
  commandComplete: 0x43,
  error: 0x45,
  readyForQuery: 0x5a,
} as const

/** Transaction status in ReadyForQuery: idle, in a transaction, in a failed transaction. */
export const STATUS = { idle: 0x49, inTransaction: 0x54, failed: 0x45 } as const

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Length of the message at `at` with its type byte, or 0 while it is not there whole. */
export function messageLength(bytes: Uint8Array, at: number, end = bytes.length): number {
  if (end - at < HEADER) return 0
  const length = 1 + readInt32(bytes, at + 1)
  return end - at < length ? 0 : length
}

export function readInt32(bytes: Uint8Array, at: number): number {
  return (
    (byte(bytes, at) << 24) |
    (byte(bytes, at + 1) << 16) |
    (byte(bytes, at + 2) << 8) |
    byte(bytes, at + 3)
  )
}

/** The zero-terminated text at `at`; `next` is where the following field begins. */
export function readText(bytes: Uint8Array, at: number): { text: string; next: number } {
  const end = bytes.indexOf(0, at)
  return { text: decoder.decode(bytes.subarray(at, end)), next: end + 1 }
}

/** Builds one message; text fields get their terminating zero. */
export function message(type: number, ...fields: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const body = fields.map((field) =>
    typeof field === 'string' ? encoder.encode(`${field}\0`) : field,
  )
  const length = body.reduce((sum, field) => sum + field.length, 4)
  const bytes = new Uint8Array(1 + length)
  bytes[0] = type
  new DataView(bytes.buffer).setInt32(1, length)
  let at = HEADER
  for (const field of body) {
    bytes.set(field, at)
    at += field.length
  }
  return bytes
}

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export function query(text: string): Uint8Array<ArrayBuffer> {
  return message(FROM_CLIENT.query, text)
}

export function sync(): Uint8Array<ArrayBuffer> {
  return message(FROM_CLIENT.sync)
}

export function readyForQuery(status: number): Uint8Array<ArrayBuffer> {
  return message(FROM_SERVER.readyForQuery, Uint8Array.of(status))
}

export function errorResponse(error: {
  code: string
  message: string
  hint?: string
}): Uint8Array<ArrayBuffer> {
  const hint = error.hint === undefined ? [] : [`H${error.hint}`]
  return message(
    FROM_SERVER.error,
    'SERROR',
    'VERROR',
    `C${error.code}`,
    `M${error.message}`,
    ...hint,
    Uint8Array.of(0),
  )
}

/** Messages of a server after a successful start: no password needed, its settings, ready. */
export function startupReply(
  settings: Readonly<Record<string, string>>,
  backendPid: number,
): Uint8Array<ArrayBuffer> {
  const keyData = new Uint8Array(8)
  new DataView(keyData.buffer).setInt32(0, backendPid)
  return concat([
    message(0x52, new Uint8Array(4)),
    ...Object.entries(settings).map(([name, value]) => message(0x53, name, value)),
    message(0x4b, keyData),
    readyForQuery(STATUS.idle),
  ])
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number // callers check the bounds by messageLength
}
