/**
 * The demo's own key for machines, kept beside its database: who plays the demo's customers (`npm
 * run floor`) finds it there.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { ownMachineKey } from '#gateway/manage/kernel/machine.ts'

export const DEMO_KEY_FILE = 'demo-machine-key.json'

/** Each start rewrites it, readable by its owner only, as the field key beside it. */
export async function keepDemoMachineKey(context: AppContext, dataDir: string): Promise<void> {
  const key = await ownMachineKey(context, {
    name: 'demo floor',
    scopes: ['application', 'machineReview', 'payment', 'feedback', 'proof'],
  })
  writeFileSync(join(dataDir, DEMO_KEY_FILE), JSON.stringify(key), { mode: 0o600 })
}
