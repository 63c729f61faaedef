/** What changed, in words. */
import type { Text } from '#client/base/use-text.ts'
import type { listChanges } from '#shared/access/changes-api.ts'
import type { DataOf } from '#shared/kernel/endpoint.ts'
import { differencesOf } from './entry-diff.ts'

export type Change = DataOf<typeof listChanges>['rows'][number]

/** The sheet of collection rules is one parameter of the log. */
export const isCollectionRules = ({ kind, targetId }: Change): boolean =>
  kind === 'config' && targetId === 'collection'

/** Fields that every change of a row has. */
const ALWAYS = new Set(['version', 'updateTime', 'updateBy', 'latestNo', 'hasDraft', 'approval'])

export function changedValues({ before, after }: Pick<Change, 'before' | 'after'>) {
  return differencesOf(before, after).filter(
    ({ path, isChanged }) => isChanged && !ALWAYS.has(path),
  )
}

/** "value: 5 → 8", and how many more. */
export function changeText(row: Change, t: Text): string {
  const [first, ...more] = changedValues(row)
  if (first === undefined) return ''
  const sentence = `${fieldWord(row, first.path, t)}: ${first.before ?? '—'} → ${first.after ?? '—'}`
  return more.length === 0
    ? sentence
    : t('access:changes.andMore', { said: sentence, n: more.length })
}

/** The version that was in force, or the newest one, before a change of a rule or a table. */
export function versionBefore({ kind, action, before }: Change): number | null {
  if (kind !== 'rule' && kind !== 'decisionTable') return null
  const { versionNo, latestNo, status } = (before ?? {}) as {
    versionNo?: number
    latestNo?: number
    status?: string
  }
  if (action.startsWith('edit')) return latestNo ?? null
  return /^(enable|disable)/.test(action) && status === 'enabled' ? (versionNo ?? null) : null
}

/** The value a parameter had, where a change gave it another one. */
export function valueBefore({
  kind,
  before,
  after,
}: Change): { code: string; value: string } | null {
  if (kind !== 'config') return null
  const [old, now] = [before, after] as ({ code?: string; value?: string } | null)[]
  return old?.code !== undefined && old.value !== undefined && old.value !== now?.value
    ? { code: old.code, value: old.value }
    : null
}

/** Collection rules have words of their own; a field that has none is named as the log names it. */
export function fieldWord(row: Change, path: string, t: Text): string {
  return isCollectionRules(row)
    ? t(`collection:rules.${path}`, { defaultValue: path })
    : t(`access:changes.field.${path}`, { defaultValue: path })
}
