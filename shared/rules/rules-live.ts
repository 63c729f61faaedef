import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** A batch was started, is to stop, or ended. */
export const BATCH_CHANGED = liveEvent(
  'batch.changed',
  Type.Object({
    batchId: Type.String(),
    state: Type.String(),
    done: Type.Integer(),
    ok: Type.Integer(),
    fail: Type.Integer(),
  }),
)

/** A rule, its group or its action was added, changed, enabled, disabled or deleted. */
export const RULE_CHANGED = liveEvent(
  'rule.changed',
  Type.Object({
    ruleId: Nullable(Type.String()),
    versionNo: Nullable(Type.Integer()),
    status: Nullable(Type.String()),
  }),
)

/** A back-test of the rule moved on, a trial began or ended, or a shadow found a difference. */
export const RULE_TRIED = liveEvent('rule.tried', Type.Object({ ruleId: Type.String() }))
