/** The health of a configuration is in its own row and in those of the services that use it. */
import type { LiveRules } from '#client/screen/list/use-live-list.ts'
import type { Endpoint } from '#shared/kernel/endpoint.ts'
import type { LiveEvent } from '#shared/kernel/live.ts'
import { CONFIG_REFRESHED } from '#shared/products/products-live.ts'
import { VENDOR_HEALTH } from '#shared/vendors/vendors-live.ts'

export const HEALTH_EVENTS: readonly string[] = [VENDOR_HEALTH.type]

/** Health belongs to no version of a row: the last report counts. */
export function applyHealth(
  rows: ReadonlyMap<string, { cfgId: string }>,
  events: readonly LiveEvent[],
) {
  const newest = new Map<string, Record<string, unknown>>()
  for (const { data } of events) {
    const { cfgId, ...changes } = data
    newest.set(String(cfgId), changes)
  }
  return {
    changes: [...rows].flatMap(([id, { cfgId }]) => {
      const changes = newest.get(cfgId)
      return changes === undefined ? [] : [{ kind: 'patch' as const, id, changes }]
    }),
    read: new Set<string>(),
    needsRefetch: false,
  }
}

/** Set-up is read again; health is patched. */
export const followHealth = <E extends Endpoint, Row extends { cfgId: string }>(): LiveRules<
  E,
  Row
> => ({
  events: HEALTH_EVENTS,
  apply: applyHealth,
  refreshOn: [CONFIG_REFRESHED.type],
})

/** Calls leave the hour that is counted without any event. */
export const AGAIN_MS = 60_000
