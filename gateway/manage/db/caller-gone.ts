/**
 * Queries of a caller who went away are ended: a list that nobody waits for any more would continue
 * reading, and the same person asks again meanwhile. Only reads run inside; a command is finished.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setMaxListeners } from 'node:events'
import { connect } from 'node:net'

const callers = new AsyncLocalStorage<AbortSignal>()

/** What is read of a response. */
interface Answer {
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Runs a read for as long as its caller waits for the answer. */
export function whileWaiting<T>(answer: Answer, read: () => Promise<T>): Promise<T> {
  const gone = new AbortController()
  setMaxListeners(0, gone.signal)
  answer.once('close', () => {
    if (!answer.writableFinished) gone.abort()
  })
  return callers.run(gone.signal, read)
}

/** Aborted when the caller of what runs here went away; undefined where nobody waits. */
export function callerGone(): AbortSignal | undefined {
  return callers.getStore()
}

/** Where a server can be asked to end what one of its connections does. */
export interface Backend {
  host: string
  port: number
  processID: number
  secretKey: number
}

const CANCEL = 80_877_102

/** Resolves when the server has taken the request; a statement that just ended is not harmed. */
export function cancelStatement({ host, port, processID, secretKey }: Backend): Promise<void> {
  const request = Buffer.alloc(16)
  for (const [at, part] of [16, CANCEL, processID, secretKey].entries())
    request.writeInt32BE(part, at * 4)
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    socket.on('close', () => resolve())
    socket.on('error', () => socket.destroy())
    socket.setTimeout(2_000, () => socket.destroy())
    socket.resume()
    socket.end(request)
  })
}
