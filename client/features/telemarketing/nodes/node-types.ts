import type { DataOf, InputOf } from '#shared/kernel/endpoint.ts'
import type {
  addNode,
  listMessages,
  listNodes,
  listRuns,
  nodeAudience,
  nodeOptions,
} from '#shared/telemarketing/node-api.ts'

export type MarketingNode = DataOf<typeof listNodes>['rows'][number]
export type NodeFields = InputOf<typeof addNode>
export type NodeRun = DataOf<typeof listRuns>['rows'][number]
export type NodeMessage = DataOf<typeof listMessages>['rows'][number]
export type Who = InputOf<typeof nodeAudience>
export type AudienceCount = DataOf<typeof nodeAudience>
export type NodeCoupons = DataOf<typeof nodeOptions>['coupons']
