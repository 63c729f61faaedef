/** Version numbers of customer apps, and what an installation has to do. */

/** Up to four numbers with dots between them. */
export const APP_VERSION_PATTERN = '^[0-9]{1,5}(\\.[0-9]{1,5}){0,3}$'
export const APP_UPDATES = ['none', 'offered', 'required'] as const
export type AppUpdate = (typeof APP_UPDATES)[number]

/**
 * Compares two version numbers part by part; a missing part is 0, so that 2.1 equals 2.1.0.
 * @returns negative when `one` is the older, 0 when they are equal
 */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one.split('.').map(Number), other.split('.').map(Number)]
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Below the minimum version an installation has to be updated before it is used. Below the newest
 * one an update is offered, and required when the app forces updates.
 */
export function updateFor(
  installed: string,
  app: { appVersion: string; minVersion: string; forceUpdate: boolean },
): AppUpdate {
  if (compareVersions(installed, app.minVersion) < 0) return 'required'
  if (compareVersions(installed, app.appVersion) >= 0) return 'none'
  return app.forceUpdate ? 'required' : 'offered'
}
