/** Whether the server now has another build than this tab runs. */
import { buildId, servedBuild } from '#client/base/load-part.ts'
import { createStore } from '#client/base/store.ts'

export const newVersion = createStore(false)

/**
 * A new version restarts the server, which drops the connection, so this runs on every reconnect.
 */
export async function lookForNewVersion(): Promise<void> {
  const served = await servedBuild()
  if (served !== null && served !== buildId()) newVersion.set(true)
}
