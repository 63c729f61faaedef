/** Routes of the collection board and its wall screens. */
import type { FastifyInstance } from 'fastify'
import * as api from '#shared/wall/wall-api.ts'
import { addressOf } from '#gateway/manage/features/session/public.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveOpen, serveQuery } from '#gateway/manage/kernel/serve.ts'
import { boardList } from './board-queries.ts'
import { editBoard } from './edit-board.ts'
import { ackAlert } from './figures/alerts.ts'
import type { FigureDesk } from './figures/figure-desk.ts'
import { readBoard } from './figures/read-board.ts'
import { saveThresholds } from './figures/save-thresholds.ts'
import { approvePairing } from './pairing/approve-pairing.ts'
import { pollPairing } from './pairing/poll-pairing.ts'
import { BIND_COOKIES } from './pairing/screen-token.ts'
import { startPairing } from './pairing/start-pairing.ts'
import { revokeBoards } from './revoke-boards.ts'

export interface WallRoutesOptions {
  desk: FigureDesk
  /** Cookies are marked Secure and carry the __Host- prefix. */
  secureCookies: boolean
}

export function wallRoutes(
  app: FastifyInstance,
  house: House,
  { desk, secureCookies }: WallRoutesOptions,
): void {
  serveQuery(app, house, api.readBoard, ({ db, actor }, input) => readBoard(db, actor, desk, input))
  serveQuery(app, house, api.listBoards, ({ db, actor }, input) => boardList(db, actor, input))

  serveOpen(app, house, api.startPairing, (request, _reply, input) =>
    startPairing(house, addressOf(request), request.id, input),
  )
  serveOpen(app, house, api.pollPairing, async (request, reply, { pollSecret }) => {
    const { answer, bind } = await pollPairing(
      house,
      pollSecret,
      request.headers['sec-fetch-site'] !== undefined,
      request.id,
    )
    if (bind !== null)
      void reply.setCookie(secureCookies ? BIND_COOKIES[0] : BIND_COOKIES[1], bind, {
        httpOnly: true,
        secure: secureCookies,
        sameSite: 'strict',
        path: '/',
        maxAge: 400 * 86_400,
      })
    return answer
  })

  serveCommand(app, house, api.approvePairing, approvePairing)
  serveCommand(app, house, api.editBoard, editBoard)
  serveCommand(app, house, api.revokeBoards, (cx, { boardIds }) => revokeBoards(cx, boardIds))
  serveCommand(app, house, api.ackAlert, ackAlert)
  serveCommand(app, house, api.saveThresholds, saveThresholds)
}
