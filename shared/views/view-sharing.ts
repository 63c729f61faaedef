import type { DataScope } from '#shared/kernel/permission.ts'

/** Whoever sees more than his own rows may show others how he looks at them. */
export function mayShareViews(scope: DataScope): boolean {
  return scope !== 'own' && scope !== 'queue'
}
