/** Why an embedded database cannot be opened or went away, with what to do about it, in one line. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable'
  readonly code = 'DATABASE_UNREADABLE'

  /** @param reason message of the engine or the operating system */
  constructor(directory: string, reason: unknown) {
    super(adviceOf(directory, firstLine(reason)))
  }
}

export function isDiskFull(reason: string): boolean {
  return /ENOSPC|EDQUOT|no space left/i.test(reason)
}

/** @param code of an error of the file system */
export function isUnwritable(code: string | undefined): boolean {
  return code !== undefined && (isDiskFull(code) || NOT_ALLOWED.test(code))
}

const NOT_ALLOWED = /EACCES|EPERM|EROFS|ENOTDIR|read-only/i

function adviceOf(directory: string, reason: string): string {
  if (isDiskFull(reason))
    return (
      `The disk of ${directory} is full. Free at least 200 MB there, then start again; ` +
      'nothing committed is lost.'
    )
  if (NOT_ALLOWED.test(reason))
    return (
      `${directory} cannot be written (${reason}). Give this user the right to, ` +
      'or set DATA_DIR to another directory.'
    )
  return (
    `The database in ${directory} is damaged (${reason}). Keep that directory, and put the newest ` +
    'backup in its place: see "Backup and restore" in the README.'
  )
}

function firstLine(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason)
  return text.split('\n')[0]?.slice(0, 200).trim() ?? ''
}
