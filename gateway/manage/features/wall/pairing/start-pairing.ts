import { sql } from 'kysely'
import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import { NOT_AVAILABLE, Problem, TOO_MANY_REQUESTS } from '#shared/kernel/problem.ts'
import type { startPairing as call } from '#shared/wall/wall-api.ts'
import { WALL_SCENES } from '#shared/wall/wall-sets.ts'
import { hashOf, newToken } from '#gateway/manage/features/session/public.ts'
import { systemActor } from '#gateway/manage/kernel/actor.ts'
import { runCommand } from '#gateway/manage/kernel/command.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { insertWaiting } from '../board-store.ts'
import { codeHash, newCode } from './pairing-code.ts'

/** Open codes per address: a whole floor of screens may be switched on at once. */
const MOST_OPEN = 40
const WAIT_S = 60
const TRIES = 5

/** @throws Problem G-RATE when the address has too many open codes */
export async function startPairing(
  context: AppContext,
  ip: string,
  requestId: string,
  { profile, appVersion }: InputOf<typeof call>,
): Promise<DataOf<typeof call>> {
  const minutes = await context.parameters.int('board.pairMinutes')
  const pollSecret = newToken()
  const { result } = await runCommand(
    context,
    {
      actor: { ...systemActor('wallScreen', requestId), ip },
      audit: { action: 'pairStart', menu: 'loaned_board' },
    },
    async (tx) => {
      const { rows } = await sql<{
        open: number
      }>`
        select count(*)::int as open
        from board_device d
        where d.state = 'waiting' and d.ip = ${ip} and d.code_until > clock_timestamp()`.execute(
        tx.db,
      )
      if ((rows[0]?.open ?? 0) >= MOST_OPEN) throw new Problem(TOO_MANY_REQUESTS, { s: WAIT_S })
      for (let n = 0; n < TRIES; n += 1) {
        const code = newCode()
        const settings = {
          profile,
          scenes: [...WALL_SCENES],
          rotateSec: 20,
          theme: 'dark' as const,
          people: true,
          language: null,
        }
        const waiting = await insertWaiting(tx, {
          codeHash: codeHash(context.secrets, code),
          pollHash: hashOf(pollSecret),
          minutes,
          appVersion,
          settings,
          ip,
        })
        if (waiting === null) continue
        tx.log({
          action: 'pairStart',
          menu: 'loaned_board',
          targetKind: 'board',
          targetId: waiting.id,
        })
        return { code, pollSecret, expiresAt: waiting.until }
      }
      throw new Problem(NOT_AVAILABLE)
    },
  )
  return result
}
