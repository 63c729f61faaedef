import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts'

const LOCK_MODULE = new URL('./data-dir-lock.ts', import.meta.url).href

let dataDir: string
beforeEach(async () => (dataDir = await mkdtemp(path.join(tmpdir(), 'lock-'))))
afterEach(() => rm(dataDir, { recursive: true }))

test('a second lock on the same directory is refused and names the process', () => {
  const lock = lockDataDir(dataDir)
  const refused = catchError(() => lockDataDir(dataDir))
  expect(refused).toBeInstanceOf(DataDirInUse)
  expect(refused).toMatchObject({
    pid: process.pid,
    code: 'DATA_DIR_IN_USE',
    message: expect.stringContaining(String(process.pid)),
  })
  lock.release()
})

test('a released directory can be locked again, and nothing is left in it', async () => {
  lockDataDir(dataDir).release()
  const lock = lockDataDir(dataDir)
  lock.release()
  lock.release()
  expect(await readdir(dataDir)).toEqual([])
})

test('the directory is created when it is missing', async () => {
  const lock = lockDataDir(path.join(dataDir, 'new', 'deeper'))
  expect(await readdir(path.join(dataDir, 'new', 'deeper'))).toHaveLength(1)
  lock.release()
})

test('the lock of a process that was killed is taken over', async () => {
  const child = holder(dataDir)
  await once(child.stdout, 'data')
  expect(catchError(() => lockDataDir(dataDir))).toMatchObject({
    name: 'DataDirInUse',
    pid: child.pid,
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDataDir(dataDir).release()
})

test('a process that ends normally leaves no lock', async () => {
  const child = holder(dataDir, 'setTimeout(() => process.exit(0), 10)')
  await once(child, 'exit')
  expect(await readdir(dataDir)).toEqual([])
})

// only Linux reports when a process started
if (process.platform === 'linux')
  test('a lock of an earlier process with the same pid is stale', async () => {
    const owner = { pid: process.pid, birth: 'an-earlier-boot:1', host: hostname(), token: 'old' }
    await writeFile(path.join(dataDir, 'pglite.lock'), JSON.stringify(owner))
    lockDataDir(dataDir).release()
  })

test('a lock from another host is respected while its heartbeat is fresh', async () => {
  const owner = { pid: 1, birth: '', host: 'another-host', token: 'theirs' }
  await writeFile(path.join(dataDir, 'pglite.lock'), JSON.stringify(owner))
  expect(catchError(() => lockDataDir(dataDir))).toMatchObject({ name: 'DataDirInUse', pid: 1 })
})

test('of many processes that race for a stale lock exactly one gets it', async () => {
  const stale = { pid: 999_999_999, birth: 'gone', host: hostname(), token: 'stale' }
  await writeFile(path.join(dataDir, 'pglite.lock'), JSON.stringify(stale))
  const racers = Array.from({ length: 6 }, () => holder(dataDir))
  const outcomes = await Promise.all(
    racers.map(async (racer) => String((await once(racer.stdout, 'data'))[0]).trim()),
  )
  expect(outcomes.filter((word) => word === 'held')).toHaveLength(1)
  expect(outcomes.filter((word) => word === 'DataDirInUse')).toHaveLength(5)
  const winner = racers[outcomes.indexOf('held')]
  expect(JSON.parse(await readFile(path.join(dataDir, 'pglite.lock'), 'utf8'))).toMatchObject({
    pid: winner?.pid,
  })
  for (const racer of racers) racer.kill('SIGKILL')
})

/** A process that tries to take the lock, says how it went, and keeps it. */
function holder(dir: string, then = 'setInterval(() => {}, 1000)') {
  const script = `
    import { lockDataDir } from ${JSON.stringify(LOCK_MODULE)}
    try { lockDataDir(${JSON.stringify(dir)}); console.log('held') } catch (error) { console.log(error.name) }
    ${then}`
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function catchError(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return null
}
