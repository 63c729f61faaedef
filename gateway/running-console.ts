/**
 * How a command beside an embedded console reaches it: a file in its data directory, readable by
 * its user only, names its internal listener and the secret of this run.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

interface Running {
  /** Path of a unix socket, or a port of this machine. */
  internal: string | number
  secret: string
}

/** @returns removes it again */
export function announceConsole(dataDir: string, running: Running): () => void {
  const file = fileOf(dataDir)
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(running), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** Null when none was announced. */
export function announcedConsole(dataDir: string): Running | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Running
  } catch {
    return null
  }
}

/** @throws when it does not answer, or answers with an error */
export async function callConsole(
  { internal, secret }: Running,
  path: string,
  input: unknown,
): Promise<unknown> {
  const body = JSON.stringify(input)
  const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    request(
      {
        ...(typeof internal === 'string'
          ? { socketPath: internal }
          : { host: '127.0.0.1', port: internal }),
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-internal-secret': secret },
      },
      (got) =>
        void text(got).then((read) => resolve({ status: got.statusCode ?? 0, body: read }), reject),
    )
      .on('error', reject)
      .end(body)
  })
  const parsed = JSON.parse(answer.body) as { error?: string }
  if (answer.status !== 200)
    throw new Error(parsed.error ?? `the console answered ${answer.status}`)
  return parsed
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'console.json')
}
