import type { FastifyInstance } from 'fastify'
import { workDay } from '#shared/home/day-api.ts'
import { workbench } from '#shared/home/home-api.ts'
import type { ApprovalKind } from '#gateway/manage/features/approvals/public.ts'
import { unreadAnnouncements } from '#gateway/manage/features/announcements/public.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { serveQuery } from '#gateway/manage/kernel/serve.ts'
import type { HomePart } from './home-part.ts'
import { findDay } from './work-day.ts'
import { findCards } from './workbench-cards.ts'
import { findTodo } from './workbench-queries.ts'

export function homeRoutes(
  app: FastifyInstance,
  context: AppContext,
  { kinds, parts }: { kinds: readonly ApprovalKind[]; parts: readonly HomePart[] },
): void {
  serveQuery(app, context, workbench, async ({ db, actor }) => {
    const [cards, todo, notices] = await Promise.all([
      findCards(db, actor, kinds),
      findTodo(db, actor, kinds),
      unreadAnnouncements(db, actor),
    ])
    return { cards, todo, notices }
  })
  serveQuery(app, context, workDay, ({ db, actor }, input) => findDay(db, actor, parts, input))
}
