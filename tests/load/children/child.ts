/** The child's side of `processes.ts`: answers the requests of the bench. */
import type { Usage } from '../processes.ts'

type Handler = (input: never) => unknown

export function serveBench(handlers: Record<string, Handler>): void {
  const all: Record<string, Handler> = { usage, gc: collect, ...handlers }
  process.on('message', ({ id, name, input }: { id: number; name: string; input: never }) => {
    const handler = all[name]
    Promise.resolve()
      .then(() => {
        if (!handler) throw new TypeError(`nobody answers ${name}`)
        return handler(input)
      })
      .then(
        (result) => process.send?.({ id, result }),
        (error: unknown) =>
          process.send?.({
            id,
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          }),
      )
  })
  // When the bench has ended, so does its child.
  process.on('disconnect', () => process.exit(0))
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { cpuMs: (user + system) / 1_000, rssBytes: rss, heldBytes: heapUsed + external }
}

function collect(): void {
  globalThis.gc?.()
}
