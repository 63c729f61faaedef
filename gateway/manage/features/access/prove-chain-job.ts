/** Proves the newest part of the operate log each hour, and notifies administrators when it is broken. */
import { sql } from 'kysely'
import { ADMINISTRATOR } from '#shared/session/roles.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import {
  anchorsOf,
  brokenAnchors,
  isSignedChain,
  isSignedCut,
  readCut,
} from '#gateway/manage/kernel/chain-signature.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import { verifyChain } from './verify-chain.ts'

const NAME = 'proveChain'
const NEWEST = 1_000
/** An hour of anchors, and one before it. */
const ANCHORS = 61

export const proveChain: ScheduledClass = {
  name: NAME,
  cycle: 'every:3600',
  async run(context) {
    const { brokenAt, checked, after } = await newestPart(context)
    if (brokenAt === null) return { checked: Math.max(0, checked - after) }
    context.log.error({ chainNo: brokenAt }, 'the chain of the operate log is broken')
    await runCommand(
      context,
      { actor: systemActor(NAME), audit: { action: NAME, targetKind: 'operateLog' } },
      async (tx) => {
        const { rows } = await sql<{ id: string }>`
          select u.id
          from sys_user u
          join sys_role r on r.id = u.role_id
          where r.unique_mark = ${ADMINISTRATOR}
            and u.status <> 'disabled'`.execute(tx.db)
        for (const { id: userId } of rows)
          tx.notify({
            userId,
            kind: 'system',
            titleKey: 'access:operateLog.chainNotice',
            params: { no: brokenAt },
            route: '/system/operate_record',
          })
      },
    )
    return { brokenAt }
  },
}

async function newestPart({ database, secrets, anchorFile }: AppContext) {
  const db = database.kysely
  const { rows } = await sql<{ last_no: number; signed_no: number | null; ends: boolean }>`
    select c.last_no, c.signed_no,
      c.last_no = 0 or exists (select from operate_log l where l.chain_no = c.last_no
        and l.hash = c.last_hash) as ends
    from log_chain c`.execute(db)
  const { last_no: last, signed_no: signed, ends } = rows[0] as (typeof rows)[number]
  const after = Math.max(0, last - NEWEST)
  const { brokenAt, checked } = await verifyChain(db, after)
  const anchors = anchorFile === null ? [] : anchorsOf(anchorFile).slice(-ANCHORS)
  const [moved] = await brokenAnchors(db, secrets, anchors)
  const isSigned = await isSignedChain(db, secrets)
  const cut = await readCut(db)
  return {
    after,
    checked,
    brokenAt:
      brokenAt ??
      (ends ? null : last) ??
      (isSigned ? null : (signed ?? last)) ??
      (isSignedCut(secrets, cut) ? null : cut.no) ??
      moved ??
      null,
  }
}
