import type { DataScope } from '#shared/kernel/permission.ts'

/** People who see more than their own rows may share views. */
export function mayShareViews(scope: DataScope): boolean {
  return scope !== 'own' && scope !== 'queue'
}
