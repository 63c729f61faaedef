import type { Audience } from '#gateway/manage/kernel/audience.ts'
import { roomOf, type Scope, scopeOf, unitOf } from './board-scope.ts'

/**
 * A board is watched by users who may see its unit. The key is the scope's with dots: `all`,
 * `agency.A101`, `department.D101.M1`.
 */
export const WALL_AUDIENCE: Audience = {
  watch: {
    board(_db, actor, key) {
      const scope = watchedScope(key)
      const own = unitOf(actor)
      const isInside =
        own.unit === 'all'
          ? scope.unit === 'all' || scope.unit === 'agency'
          : own.id !== null && own.unit === scope.unit && own.id === scope.id
      return Promise.resolve(
        actor.rights.permissions.has('loaned_board:view') && isInside ? roomOf(scope) : null,
      )
    },
  },
}

function watchedScope(key: string): Scope {
  const [unit = '', ...rest] = key.split('.')
  const [id, stage] = unit === 'all' ? [undefined, rest[0]] : rest
  return scopeOf(
    `${unit}${id === undefined ? '' : `:${id}`}${stage === undefined ? '' : `/${stage}`}`,
  )
}
