import { useSecond } from '#client/ui/value/clock.ts'

const WARNING_MS = 60_000

/** The own lease ends within a minute for want of input, although the tab sends heartbeats. */
export function useExpiring(leaseUntil: string | null, isMine: boolean): boolean {
  const second = useSecond()
  if (leaseUntil === null || !isMine) return false
  const left = Date.parse(leaseUntil) - second
  return left > 0 && left <= WARNING_MS
}
