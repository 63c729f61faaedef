/** The other end of `processes.ts`: answers what the bench asks. */

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
        (error: unknown) => process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      )
  })
  // the bench is gone: so is its child
  process.on('disconnect', () => process.exit(0))
}

function usage(): { cpuMs: number; rssBytes: number } {
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1_000, rssBytes: process.memoryUsage.rss() }
}

function collect(): void {
  globalThis.gc?.()
}
