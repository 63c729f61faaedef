/** What the frame keeps an eye on while somebody is signed in: his preferences, faults, the watermark, what waits for him, newer versions. All but the first lines load after the first picture. */
import { useEffect } from 'react'
import { onLine } from '#client/live/line.ts'
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
    return onLine({
      opened: () => {
        opened += 1
        if (opened > 1) void lookForNewVersion()
      },
    })
  }, [])
}

const RETRY_MS = 3_000

/** Starts what a chunk brings, and asks for it again while the line is down. @returns ends it, also when it had not begun */
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
