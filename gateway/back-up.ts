/**
 * `npm run backup [-- DIR]`: a backup of an embedded console into DIR (or BACKUP_DIR), whether it
 * runs or not; with DATABASE_URL what `pg_dump` makes. Says where it lies.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from './config.ts'
import { createLogger } from './kernel/logger.ts'
import { type Backup, takeBackup, thinBackups } from './manage/backup/take-backup.ts'
import { oneLine } from './one-line.ts'
import { openBook } from './open-book.ts'
import { announcedConsole, callConsole } from './running-console.ts'

await oneLine(async () => {
  const config = readConfig(process.env, '')
  const given = process.argv[2] ?? config.backupDir
  if (given === null || given === undefined)
    throw new ConfigError('Say where: npm run backup -- DIR, or set BACKUP_DIR')
  const backupDir = resolve(given)
  if (config.databaseUrl !== null) return dumpServer(config.databaseUrl, backupDir)
  const { dir, files, bytes, heldMs } = await embedded(config, backupDir)
  await thinBackups(backupDir)
  process.stdout.write(
    `${dir}: ${files} files, ${(bytes / 1024 / 1024).toFixed(1)} MB copied in ${heldMs} ms.\n`,
  )
})

async function embedded(config: Config, backupDir: string): Promise<Backup> {
  const running = announcedConsole(config.dataDir)
  if (running)
    try {
      return (await callConsole(running, '/backup', { to: backupDir })) as Backup
    } catch (error) {
      // left by a console that was killed
      const { code } = error as { code?: string }
      if (code !== 'ECONNREFUSED' && code !== 'ENOENT') throw error
    }
  const database = await openBook(config, createLogger('error'), () => undefined)
  try {
    return await takeBackup({ dataDir: config.dataDir, backupDir }, database)
  } finally {
    await database.close()
  }
}

function dumpServer(url: string, backupDir: string): void {
  mkdirSync(backupDir, { recursive: true, mode: 0o700 })
  const file = join(
    backupDir,
    `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z.dump`,
  )
  // the arguments of a process are visible to every user of the machine, so the password is not one
  const server = new URL(url)
  const password = decodeURIComponent(server.password)
  server.password = ''
  const { status, error } = spawnSync(
    'pg_dump',
    ['--format=custom', '--no-owner', `--file=${file}`, `--dbname=${server.href}`],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...(password !== '' && { PGPASSWORD: password }) },
    },
  )
  if (error)
    throw new Error(`pg_dump cannot be started (${error.message}); install PostgreSQL's client`)
  if (status !== 0) throw new Error(`pg_dump ended with ${status}`)
  process.stdout.write(`${file}. FIELD_KEY is not in it.\n`)
}
