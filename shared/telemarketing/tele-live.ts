import Type from 'typebox'
import { Nullable } from '#shared/kernel/endpoint.ts'
import { liveEvent } from '#shared/kernel/live.ts'

/** Live events of telemarketing. They carry only ids, codes, times and staff names. */
const id = Type.String()
const maybe = Nullable(id)
const int = Type.Integer()

/** A task was opened, claimed, returned or closed; `state` and `cause` say which. */
export const TELE_TASK_ASSIGNED = liveEvent(
  'tele.task.assigned',
  Type.Object({
    taskId: id,
    segment: id,
    state: id,
    fromUserId: maybe,
    toUserId: maybe,
    toUserName: maybe,
    token: int,
    leaseUntil: maybe,
    cause: id,
  }),
)

/** A follow-up was stored; the task belongs to `userId`, without a lease. */
export const TELE_FOLLOWED = liveEvent(
  'tele.followed',
  Type.Object({
    taskId: id,
    segment: id,
    state: id,
    userId: maybe,
    token: int,
    result: int,
    count: int,
  }),
)

/** The holder's lease ends within a minute; to the holder alone. */
export const TELE_LEASE_EXPIRING = liveEvent(
  'tele.lease.expiring',
  Type.Object({ taskId: id, leaseUntil: id }),
)

/**
 * A run of a node went on: tasks of the segment were given to people or held back, without an event
 * of their own each.
 */
export const TELE_NODE_RUN = liveEvent(
  'tele.node.run',
  Type.Object({
    nodeId: id,
    runId: id,
    segment: id,
    state: id,
    matched: Nullable(int),
    taken: Nullable(int),
    done: int,
  }),
)

/** A node was added, changed or switched. */
export const TELE_NODE_CHANGED = liveEvent('tele.node.changed', Type.Object({ nodeId: id }))
