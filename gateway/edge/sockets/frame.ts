/** What goes to many sockets is encoded once, down to the WebSocket frame. */
import { LIVE_NAMESPACE } from '#shared/kernel/live.ts'
import type { FeedEvent } from '#gateway/edge/feed/feed-event.ts'

export interface Frame {
  /** Socket.IO packet text. */
  text: string
  events: number
  bytes: number
  options: { compress: false; wsPreEncodedFrame: [Buffer, Buffer] }
}

/**
 * @param upTo every event up to it that is addressed to the reader was sent before or is in here
 */
export function encodeFrame(upTo: number, events: readonly FeedEvent[]): Frame {
  return encodeMessage(
    'event',
    `{"upTo":${upTo},"events":[${events.map((event) => event.json).join(',')}]}`,
    events.length,
  )
}

/** Any message to many sockets, encoded once. @param json its one argument */
export function encodeMessage(name: string, json: string, events = 0): Frame {
  const text = `2${LIVE_NAMESPACE},["${name}",${json}]`
  // "4" = message of Engine.IO. Socket.IO's own adapter prepares frames the same way for a
  // broadcast.
  const payload = Buffer.from(`4${text}`)
  return {
    text,
    events,
    bytes: payload.length,
    options: { compress: false, wsPreEncodedFrame: [textHeader(payload.length), payload] },
  }
}

/** Header of an unmasked, final WebSocket text frame (RFC 6455, 5.2). */
function textHeader(length: number): Buffer {
  if (length < 126) return Buffer.from([0x81, length])
  if (length < 65_536) return Buffer.from([0x81, 126, length >> 8, length & 0xff])
  const header = Buffer.alloc(10)
  header[0] = 0x81
  header[1] = 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}
