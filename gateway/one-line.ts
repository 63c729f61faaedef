/** A command that cannot do its work prints the reason in one line and exits with 1. */
export async function oneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    const isUnreachable = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
    const line = isUnreachable
      ? 'The database cannot be reached; check DATABASE_URL.'
      : (message ?? String(error)).split('\n')[0]
    process.stderr.write(`${line}\n`)
    process.exitCode = 1
  }
}
