import { sql } from 'kysely'
import { NO_COLLECTOR, WEIGHTS_TOTAL } from '#shared/collection/collection-problems.ts'
import { ALREADY_RUNNING, Problem } from '#shared/kernel/problem.ts'
import { istClock, istDay } from '#shared/kernel/time.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Parameters } from '#gateway/manage/kernel/parameters.ts'
import { allocationSlots, slotAt } from './allocation-slots.ts'
import { newSeed } from './preview.ts'
import { startRun } from './start-run.ts'

const NAME = 'autoAllocate'
const REFUSALS: readonly string[] = [NO_COLLECTOR.id, ALREADY_RUNNING.id, WEIGHTS_TOTAL.id]

export async function slotsOfDay(parameters: Parameters): Promise<string[]> {
  return allocationSlots(
    await parameters.text('collection.allocationTimes'),
    await parameters.int('collection.topUpMinutes'),
    await parameters.text('collection.topUpUntil'),
  )
}

/**
 * At each slot of the day the pool is allocated, each stage by its own mode. A slot that was missed
 * is made up for once.
 */
export const autoAllocateClass: ScheduledClass = {
  name: NAME,
  cycle: 'every:60',
  async run(context) {
    const { now, stages, slots } = await factsOf(context)
    const at = slotAt(slots, istClock(now).slice(0, 5))
    if (at === null || stages.length === 0) return {}
    const slot = `${istDay(now)} ${at}`
    const { rows } = await sql`select from allocation_run r where r.slot = ${slot}`.execute(
      context.database.kysely,
    )
    if (rows.length > 0) return {}
    try {
      await runCommand(
        context,
        { actor: systemActor(NAME), audit: { menu: 'pedding_list', action: NAME } },
        (tx) =>
          startRun(
            tx,
            {
              stageIds: stages,
              scope: 'unallocated',
              mode: null,
              filters: {},
              weights: null,
              manual: [],
              seed: newSeed(),
            },
            { slot },
          ),
      )
    } catch (error) {
      // nobody on duty yet, or a leader's run uses a stage: the job tries again in a minute
      if (error instanceof Problem && REFUSALS.includes(error.id)) return {}
      throw error
    }
    return { stages: stages.length }
  },
}

/** Stages with cases in the pool and someone who takes part in their allocation. */
async function factsOf(
  context: AppContext,
): Promise<{ now: string; stages: string[]; slots: string[] }> {
  const { rows } = await sql<{ now: string; stages: string[] }>`
    select clock_timestamp() as now, coalesce((
      select array_agg(s.stage_id order by s.min_days) from stage s
      where s.status = 'enabled' and s.allocation_state = 'allocated'
        and exists (select 1 from collection_case c where c.stage_id = s.stage_id
        and c.state = 'unallocated')
        and exists (select 1 from collector k join sys_user u on u.id = k.user_id
          where s.stage_id = any(k.stage_ids) and u.allocation_flag
          and k.open_cases < k.capacity)), '{}') as stages`.execute(context.database.kysely)
  return {
    ...(rows[0] as { now: string; stages: string[] }),
    slots: await slotsOfDay(context.parameters),
  }
}
