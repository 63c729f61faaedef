/** The target on a person's home page is the one on the board of their unit. */
import type { HomePart } from '#gateway/manage/features/home/public.ts'
import { unitOf } from './board-scope.ts'
import type { FigureCache } from './figures/figure-cache.ts'

export function wallHome(figures: FigureCache): HomePart {
  return {
    async goals(actor) {
      const seesBoard = actor.rights.permissions.has('loaned_board:view')
      return seesBoard ? { recoveredToday: await figures.target(unitOf(actor)) } : {}
    },
  }
}
