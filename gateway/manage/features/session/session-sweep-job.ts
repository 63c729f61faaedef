import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { runOutSessions } from './authenticate.ts'
import { endSessions } from './end-sessions.ts'

/** Ends expired sessions, so that their sockets close without waiting for the next call. */
export const sessionSweep: ScheduledClass = {
  name: 'sessionSweep',
  cycle: 'every:60',
  async run(context) {
    const over = await runOutSessions(context)
    for (const session of over) {
      await runCommand(
        context,
        {
          actor: systemActor('sessionSweep'),
          audit: { action: 'sessionEnd', targetKind: 'session', targetId: session.id },
        },
        (tx) => endSessions(tx, session.user_id, 'expired', { only: session.id }),
      )
    }
    return { ended: over.length }
  },
}
