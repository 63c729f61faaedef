import type { FastifyInstance } from 'fastify'
import * as api from '#shared/home/home-api.ts'
import type { ApprovalKind } from '#gateway/manage/features/approvals/public.ts'
import { unreadAnnouncements } from '#gateway/manage/features/announcements/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import { findCards } from './workbench-cards.ts'
import { findTodo } from './workbench-queries.ts'

export function homeRoutes(
  app: FastifyInstance,
  context: AppContext,
  { kinds }: { kinds: readonly ApprovalKind[] },
): void {
  serveQuery(app, context, api.workbench, async ({ db, actor }) => {
    const [cards, todo, notices] = await Promise.all([
      findCards(db, actor, kinds),
      findTodo(db, actor, kinds),
      unreadAnnouncements(db, actor),
    ])
    return { cards, todo, notices }
  })
}
