import type { FastifyInstance } from 'fastify'
import * as config from '#shared/system/config-api.ts'
import * as dict from '#shared/system/dict-api.ts'
import * as lines from '#shared/system/lines-api.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveCommand, serveQuery } from '#gateway/manage/kernel/serve.ts'
import {
  addConfig,
  eachConfig,
  findConfig,
  listConfig,
  refreshConfig,
  setConfigState,
  updateConfig,
} from './config-store.ts'
import {
  addDetail,
  addDict,
  deleteDetail,
  deleteDict,
  listDict,
  listDictDetail,
  updateDetail,
  updateDict,
} from './dict-store.ts'
import { generateDict } from './generate-dict.ts'
import { addLine, bindSeat, editLine, linePeople, listLines, setLineStatus } from './line-store.ts'

export function systemRoutes(app: FastifyInstance, house: House): void {
  serveQuery(app, house, config.listConfig, ({ db }, input) => listConfig(db, input))
  serveQuery(app, house, config.findConfig, ({ db, actor }, { code }) =>
    findConfig(db, actor, code),
  )
  serveCommand(app, house, config.addConfig, async (cx, input) => ({
    configId: await addConfig(cx, input),
  }))
  serveCommand(app, house, config.updateConfig, (cx, input) => updateConfig(cx, input))
  serveCommand(app, house, config.setConfigState, (cx, input) => setConfigState(cx, input))
  serveCommand(app, house, config.refreshConfig, async (cx) => ({ count: await refreshConfig(cx) }))
  serveCommand(app, house, config.addConfigs, (cx, { items }) =>
    eachConfig(items, (item, at) => addConfig(cx, item, at)),
  )
  serveCommand(app, house, config.updateConfigs, (cx, { items }) =>
    eachConfig(items, (item, at) => updateConfig(cx, item, at)),
  )

  serveQuery(app, house, dict.listDict, ({ db }, input) => listDict(db, input))
  serveQuery(app, house, dict.listDictDetail, ({ db }, input) => listDictDetail(db, input))
  serveCommand(app, house, dict.addDict, async (cx, input) => ({
    dictId: await addDict(cx, input),
  }))
  serveCommand(app, house, dict.updateDict, (cx, input) => updateDict(cx, input))
  serveCommand(app, house, dict.deleteDict, async (cx, { dictId }) => {
    await deleteDict(cx, dictId)
    return null
  })
  serveCommand(app, house, dict.addDictDetail, async (cx, input) => ({
    detailId: await addDetail(cx, input),
  }))
  serveCommand(app, house, dict.updateDictDetail, (cx, input) => updateDetail(cx, input))
  serveCommand(app, house, dict.deleteDictDetail, async (cx, { detailId }) => {
    await deleteDetail(cx, detailId)
    return null
  })
  serveCommand(app, house, dict.generateDict, (cx, input) => generateDict(cx, input))

  serveQuery(app, house, lines.listLines, ({ db }, input) => listLines(db, input))
  serveQuery(app, house, lines.linePeople, ({ db }) => linePeople(db))
  serveCommand(app, house, lines.addLine, async (cx, input) => ({
    lineId: await addLine(cx, input),
  }))
  serveCommand(app, house, lines.editLine, async (cx, input) => {
    await editLine(cx, input)
    return { lineId: input.lineId }
  })
  serveCommand(app, house, lines.setLineStatus, (cx, input) => setLineStatus(cx, input))
  serveCommand(app, house, lines.bindSeat, (cx, input) => bindSeat(cx, input))
}
