/**
 * Disconnects a reader that falls behind, so that its backlog harms no other. It resumes from its
 * cursor.
 */
import type { Frame } from './frame.ts'
import type { Connection } from './connection.ts'

export interface Bounds {
  writeBufferPackets: number
  bufferedBytes: number
}

/** The parts of Engine.IO's socket that its types keep private. */
interface EngineSocket {
  writeBuffer: { data?: unknown }[]
  transport: {
    writable: boolean
    socket?: { readyState: number; bufferedAmount: number; terminate(): void }
  }
  write(text: string, options: Frame['options']): unknown
}

/** `readyState` of a WebSocket on which no end has begun to close. */
const OPEN = 1

/**
 * Writes a frame to one connection; one that is closing gets nothing: Engine.IO notices its end
 * later than its WebSocket, and a frame encoded before would follow the closing one.
 * @returns false when the connection is too far behind and nothing was written
 */
export function writeFrame(connection: Connection, frame: Frame, bounds: Bounds): boolean {
  const engine = engineOf(connection)
  if ((engine.transport.socket?.readyState ?? OPEN) !== OPEN) return true
  if (engine.writeBuffer.length === 0 && engine.transport.writable) connection.backlog = 0
  connection.backlog += frame.bytes
  if (engine.writeBuffer.length >= bounds.writeBufferPackets) return false
  if (connection.backlog > bounds.bufferedBytes) {
    connection.backlog = bytesHeld(engine) + frame.bytes
    if (connection.backlog > bounds.bufferedBytes) return false
  }
  engine.write(frame.text, frame.options)
  return true
}

/**
 * Ends the connection without a closing handshake: the peer does not read, so it would not answer
 * one.
 */
export function cut(connection: Connection): void {
  const { transport } = engineOf(connection)
  connection.socket.disconnect(true)
  transport.socket?.terminate()
}

function engineOf({ socket }: Connection): EngineSocket {
  // the types of engine.io leave its buffer and its transport out
  return socket.conn as unknown as EngineSocket
}

/**
 * Counted only when the cheap sum is over the bound: a connection that is slow but reads steadily
 * is not cut.
 */
function bytesHeld(engine: EngineSocket): number {
  let bytes = engine.transport.socket?.bufferedAmount ?? 0
  for (const packet of engine.writeBuffer)
    if (typeof packet.data === 'string') bytes += packet.data.length
  return bytes
}
