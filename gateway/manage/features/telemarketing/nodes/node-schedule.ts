import { sql } from 'kysely'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { runAsSystem } from '#gateway/manage/kernel/system-command.ts'
import { countAudience } from './audience.ts'
import { audienceOf, readNode } from './node-store.ts'
import { countEffectsSoFar, storeEffects } from './run-effect.ts'
import { startRun } from './start-run.ts'

const NAME = 'nodeRun'
const WORK = { name: NAME, menu: 'marketing_stage' }

/** Every hour, each node that is on and finds somebody begins a run. */
export const nodeRuns: ScheduledClass = {
  name: NAME,
  cycle: '5 * * * *',
  async run(context) {
    await storeEffects(context, WORK)
    await countEffectsSoFar(context)
    const { rows } = await sql<{ id: string }>`
      select n.id from marketing_node n where n.effective
        and not exists (select 1 from marketing_run r where r.node_id = n.id and r.state = 'running')
      order by n.id`.execute(context.database.kysely)
    let started = 0
    for (const { id } of rows) {
      if (context.stopping.aborted) break
      if (await startIfAnybody(context, id)) started += 1
    }
    return { started }
  },
}

async function startIfAnybody(context: AppContext, nodeId: string): Promise<boolean> {
  const { kysely } = context.database
  const { taken } = await countAudience(kysely, audienceOf(await readNode(kysely, nodeId)))
  if (taken === 0) return false
  return runAsSystem(context, WORK, async (tx) => {
    // switched off, emptied or started by hand in the meantime
    const node = await readNode(tx.db, nodeId)
    if (!node.effective || node.isRunning) return false
    await startRun(tx, { nodeId })
    return true
  })
}
