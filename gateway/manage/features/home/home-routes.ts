import type { FastifyInstance } from 'fastify'
import * as api from '#shared/home/home-api.ts'
import type { ApprovalKind } from '#gateway/manage/features/approvals/public.ts'
import { unreadNotices } from '#gateway/manage/features/notices/public.ts'
import type { House } from '#gateway/manage/kernel/house.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findCards } from './workbench-cards.ts'
import { findTodo } from './workbench-queries.ts'

export function homeRoutes(
  app: FastifyInstance,
  house: House,
  { kinds }: { kinds: readonly ApprovalKind[] },
): void {
  serveQuery(app, house, api.workbench, async ({ db, actor }) => {
    const [cards, todo, notices] = await Promise.all([
      findCards(db, actor, kinds),
      findTodo(db, actor, kinds),
      unreadNotices(db, actor),
    ])
    return { cards, todo, notices }
  })
}
