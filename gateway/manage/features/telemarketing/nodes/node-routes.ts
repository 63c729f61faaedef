import type { FastifyInstance } from 'fastify'
import * as api from '#shared/telemarketing/node-api.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveCommand, serveQuery, serveUpload } from '#gateway/manage/kernel/serve.ts'
import { readCouponOptions } from '#gateway/manage/features/coupons/public.ts'
import { countAudience } from './audience.ts'
import { readNodeOptions } from './node-columns.ts'
import { findNodes } from './node-store.ts'
import { setPackage } from './package-list.ts'
import { findMessages, findRuns } from './run-queries.ts'
import { addNode, editNode, setNodeStatus } from './save-node.ts'
import { startRun } from './start-run.ts'

export function nodeRoutes(app: FastifyInstance, context: AppContext): void {
  serveQuery(app, context, api.listNodes, ({ db }, input) => findNodes(db, input))
  serveQuery(app, context, api.nodeOptions, async ({ db }) => {
    const [named, { coupons }] = await Promise.all([readNodeOptions(db), readCouponOptions(db)])
    return { ...named, coupons }
  })
  serveQuery(app, context, api.nodeAudience, ({ db }, { nodeId = null, couponId = null, ...who }) =>
    countAudience(db, { nodeId, ...who }, couponId),
  )
  serveQuery(app, context, api.listRuns, ({ db }, input) => findRuns(db, input))
  serveQuery(app, context, api.listMessages, ({ db }, input) => findMessages(db, input))

  serveCommand(app, context, api.addNode, addNode)
  serveCommand(app, context, api.editNode, editNode)
  serveCommand(app, context, api.setNodeStatus, setNodeStatus)
  serveUpload(app, context, api.setPackage, setPackage)
  serveCommand(app, context, api.runNode, startRun)
}
