/** Routes of the collection board and its wall screens. */
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/wall/wall-api.ts'
import { addressOf, isOverTls } from '#gateway/manage/features/session/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveOpen, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { boardList } from './board-queries.ts'
import { editBoard } from './edit-board.ts'
import { ackAlert } from './figures/alerts.ts'
import type { FigureCache } from './figures/figure-cache.ts'
import { readBoard } from './figures/read-board.ts'
import { saveThresholds } from './figures/save-thresholds.ts'
import { approvePairing } from './pairing/approve-pairing.ts'
import { pollPairing } from './pairing/poll-pairing.ts'
import { BIND_COOKIES } from './pairing/screen-token.ts'
import { startPairing } from './pairing/start-pairing.ts'
import { revokeBoards } from './revoke-boards.ts'

export interface WallRoutesOptions {
  desk: FigureCache
}

export function wallRoutes(
  app: FastifyInstance,
  context: AppContext,
  { desk }: WallRoutesOptions,
): void {
  serveQuery(app, context, api.readBoard, ({ db, actor }, input) =>
    readBoard(db, actor, desk, input),
  )
  serveQuery(app, context, api.listBoards, ({ db, actor }, input) => boardList(db, actor, input))

  serveOpen(app, context, api.startPairing, (request, _reply, input) =>
    startPairing(context, addressOf(request), request.id, input),
  )
  serveOpen(app, context, api.pollPairing, async (request, reply, { pollSecret }) => {
    const { answer, bind } = await pollPairing(
      context,
      pollSecret,
      request.headers['sec-fetch-site'] !== undefined,
      request.id,
    )
    const secure = isOverTls(request)
    if (bind !== null)
      void reply.setCookie(secure ? BIND_COOKIES[0] : BIND_COOKIES[1], bind, {
        httpOnly: true,
        secure,
        sameSite: 'strict',
        path: '/',
        maxAge: 400 * 86_400,
      })
    return answer
  })

  serveCommand(app, context, api.approvePairing, approvePairing)
  serveCommand(app, context, api.editBoard, editBoard)
  serveCommand(app, context, api.revokeBoards, (tx, { boardIds }) => revokeBoards(tx, boardIds))
  serveCommand(app, context, api.ackAlert, ackAlert)
  serveCommand(app, context, api.saveThresholds, saveThresholds)
}
