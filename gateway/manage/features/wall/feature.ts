import { WALL_MENU } from '#shared/wall/wall-menu.ts'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { Feature } from '#gateway/manage/kernel/feature.ts'
import { boardSweep } from './board-sweep-job.ts'
import { boardTick } from './figures/board-tick-job.ts'
import { FigureCache } from './figures/figure-cache.ts'
import { screenAuth } from './pairing/screen-token.ts'
import { revokeBoardsJob } from './revoke-boards.ts'
import { WALL_AUDIENCE } from './wall-audience.ts'
import { wallHome } from './wall-home.ts'
import { wallRoutes } from './wall-routes.ts'

export function wall(context: AppContext): Feature {
  const figures = new FigureCache(context)
  return {
    menu: WALL_MENU,
    audience: WALL_AUDIENCE,
    hooks: { screens: [screenAuth(context)], home: [wallHome(figures)] },
    schedules: [boardTick(figures), boardSweep],
    jobTypes: [revokeBoardsJob],
    routes: (base) => wallRoutes(base, context, { desk: figures }),
  }
}
