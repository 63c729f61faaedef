/** A reader that falls behind is cut, so that its backlog hurts nobody else (trust.md A7). It resumes from its cursor. */
import type { Frame } from './frame.ts'
import type { Seat } from './seat.ts'

export interface Bounds {
  writeBufferPackets: number
  bufferedBytes: number
}

/** The parts of Engine.IO's socket that its types keep private. */
interface Connection {
  writeBuffer: { data?: unknown }[]
  transport: { writable: boolean; socket?: { bufferedAmount: number; terminate(): void } }
  write(text: string, options: Frame['options']): unknown
}

/**
 * Writes a frame to one seat.
 * @returns false when the seat is too far behind and nothing was written
 */
export function writeFrame(seat: Seat, frame: Frame, bounds: Bounds): boolean {
  const connection = seat.socket.conn as unknown as Connection
  if (connection.writeBuffer.length === 0 && connection.transport.writable) seat.backlog = 0
  seat.backlog += frame.bytes
  if (connection.writeBuffer.length >= bounds.writeBufferPackets) return false
  if (seat.backlog > bounds.bufferedBytes) {
    seat.backlog = bytesHeld(connection) + frame.bytes
    if (seat.backlog > bounds.bufferedBytes) return false
  }
  connection.write(frame.text, frame.options)
  return true
}

/** Ends the connection without a closing handshake: the peer does not read, so it would not answer one. */
export function cut(seat: Seat): void {
  const { transport } = seat.socket.conn as unknown as Connection
  seat.socket.disconnect(true)
  transport.socket?.terminate()
}

/** Counted only when the cheap sum is over the bound: a seat that is slow but reads steadily is not cut. */
function bytesHeld(connection: Connection): number {
  let bytes = connection.transport.socket?.bufferedAmount ?? 0
  for (const packet of connection.writeBuffer)
    if (typeof packet.data === 'string') bytes += packet.data.length
  return bytes
}
