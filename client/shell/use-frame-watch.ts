/**
 * Background tasks of the frame while a user is signed in: preferences, error log, watermark,
 * counts of pending work, new versions. Almost all of it loads after the first render.
 */
import { useEffect } from 'react'
import { subscribeSocket } from '#client/live/socket.ts'
import type { SessionUser } from '#client/session/session-store.ts'
import { watchErrors } from './errors/error-log.ts'
import { lookForNewVersion } from './build.ts'

export function useFrameWatch({ account, loginTime, userId }: SessionUser): void {
  useEffect(() => watchErrors(), [])
  useEffect(
    () => later(async () => (await import('./watermark.ts')).startWatermark(account, loginTime)),
    [account, loginTime],
  )
  useEffect(
    () => later(async () => (await import('./settings/preference-sync.ts')).syncPreferences()),
    [account],
  )
  useEffect(
    () => later(async () => (await import('./work/count-work.ts')).countWork(userId)),
    [userId],
  )
  useEffect(() => {
    let opened = 0
    return subscribeSocket({
      opened: () => {
        opened += 1
        if (opened > 1) void lookForNewVersion()
      },
    })
  }, [])
}

const RETRY_MS = 3_000

/**
 * Runs what a chunk exports; the import is retried while the connection is down.
 * @returns stops it, even before it started
 */
function later(begin: () => Promise<() => void>): () => void {
  let end: (() => void) | null = null
  let gone = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = (): void => {
    begin().then(
      (stop) => {
        if (gone) stop()
        else end = stop
      },
      () => {
        if (!gone) timer = setTimeout(start, RETRY_MS)
      },
    )
  }
  start()
  return () => {
    gone = true
    clearTimeout(timer)
    end?.()
  }
}
