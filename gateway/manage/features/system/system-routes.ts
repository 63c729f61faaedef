import type { FastifyInstance } from 'fastify'
import * as config from '#shared/system/config-api.ts'
import * as dict from '#shared/system/dict-api.ts'
import * as lines from '#shared/system/lines-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
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

export function systemRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, config.listConfig, ({ db }, input) => listConfig(db, input))
  serveQuery(app, context, config.findConfig, ({ db, actor }, { code }) =>
    findConfig(db, actor, code),
  )
  serveCommand(app, context, config.addConfig, async (tx, input) => ({
    configId: await addConfig(tx, input),
  }))
  serveCommand(app, context, config.updateConfig, (tx, input) => updateConfig(tx, input))
  serveCommand(app, context, config.setConfigState, (tx, input) => setConfigState(tx, input))
  serveCommand(app, context, config.refreshConfig, async (tx) => ({
    count: await refreshConfig(tx),
  }))
  serveCommand(app, context, config.addConfigs, (tx, { items }) =>
    eachConfig(items, (item, at) => addConfig(tx, item, at)),
  )
  serveCommand(app, context, config.updateConfigs, (tx, { items }) =>
    eachConfig(items, (item, at) => updateConfig(tx, item, at)),
  )

  serveQuery(app, context, dict.listDict, ({ db }, input) => listDict(db, input))
  serveQuery(app, context, dict.listDictDetail, ({ db }, input) => listDictDetail(db, input))
  serveCommand(app, context, dict.addDict, async (tx, input) => ({
    dictId: await addDict(tx, input),
  }))
  serveCommand(app, context, dict.updateDict, (tx, input) => updateDict(tx, input))
  serveCommand(app, context, dict.deleteDict, async (tx, { dictId }) => {
    await deleteDict(tx, dictId)
    return null
  })
  serveCommand(app, context, dict.addDictDetail, async (tx, input) => ({
    detailId: await addDetail(tx, input),
  }))
  serveCommand(app, context, dict.updateDictDetail, (tx, input) => updateDetail(tx, input))
  serveCommand(app, context, dict.deleteDictDetail, async (tx, { detailId }) => {
    await deleteDetail(tx, detailId)
    return null
  })
  serveCommand(app, context, dict.generateDict, (tx, input) => generateDict(tx, input))

  serveQuery(app, context, lines.listLines, ({ db }, input) => listLines(db, input))
  serveQuery(app, context, lines.linePeople, ({ db }) => linePeople(db))
  serveCommand(app, context, lines.addLine, async (tx, input) => ({
    lineId: await addLine(tx, input),
  }))
  serveCommand(app, context, lines.editLine, async (tx, input) => {
    await editLine(tx, input)
    return { lineId: input.lineId }
  })
  serveCommand(app, context, lines.setLineStatus, (tx, input) => setLineStatus(tx, input))
  serveCommand(app, context, lines.bindSeat, (tx, input) => bindSeat(tx, input))
}
