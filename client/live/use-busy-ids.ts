import { useState } from 'react'

/** Rows of a list whose claim is being sent; the list marks them at once. */
export function useBusyIds(): {
  busyIds: ReadonlySet<string>
  busyWhile: <T>(ids: readonly string[], work: () => Promise<T>) => Promise<T>
} {
  const [busyIds, setBusy] = useState<ReadonlySet<string>>(new Set())
  return {
    busyIds,
    async busyWhile(ids, work) {
      setBusy((now) => new Set([...now, ...ids]))
      try {
        return await work()
      } finally {
        setBusy((now) => new Set([...now].filter((id) => !ids.includes(id))))
      }
    },
  }
}
