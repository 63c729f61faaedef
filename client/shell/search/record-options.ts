/** Found people and records as results of the palette and the header. */
import { useLocation } from 'wouter'
import { useText } from '#client/base/use-text.ts'
import { personNote } from '#client/screen/search/person-words.ts'
import { useRecordSearch } from '#client/screen/search/use-record-search.ts'
import { useSession } from '#client/session/session-store.ts'
import type { FinderGroup, FinderOption } from './Finder.tsx'

const INTAKE = 'user_feedback'

export interface RecordOptions {
  /** The record whose number was typed first, else the people meant. */
  groups: FinderGroup[]
  /** Why nothing was found; null while there is nothing to say. */
  empty: string | null
}

export function useRecordOptions(text: string): RecordOptions {
  const t = useText('search')
  const [, navigate] = useLocation()
  const { index } = useSession()
  const { found, isShort, hasFailed } = useRecordSearch(text)
  const intake = index.byName.get(INTAKE)
  const mayAdd = intake?.btnPermissions.includes('user_feedback:add') ?? false
  const people = (found?.people ?? []).map((person): FinderOption => ({
    id: `person-${person.userId}`,
    icon: 'phone',
    text: person.name || person.userId,
    note: personNote(t, person),
    run: () => navigate(person.route),
  }))
  const caller = found?.people.length === 1 ? found.people[0] : undefined
  if (caller && mayAdd && intake)
    people.push({
      id: 'person-ticket',
      icon: 'add',
      text: t('person.newTicket', { name: caller.name || caller.userId }),
      run: () => navigate(`${intake.path}?new=${caller.userId}`),
    })
  const rows = (found?.rows ?? []).map((row): FinderOption => ({
    id: `record-${row.kind}-${row.id}`,
    icon: row.kind === 'staff' ? 'people' : 'search',
    text: row.kind === 'staff' ? row.label : `${t(`kind.${row.kind}`)} ${row.id}`,
    note: row.kind === 'staff' ? `${t('kind.staff')} · ${row.id}` : row.label,
    run: () => navigate(row.route),
  }))
  const groups = [
    {
      title: found?.morePeople ? t('group.morePeople') : t('group.people'),
      options: people,
    },
    { title: t('group.records'), options: rows },
  ]
  const isNumber = rows.some(({ id }) => id.endsWith(`-${text.trim().toUpperCase()}`))
  return {
    groups: isNumber ? groups.toReversed() : groups,
    empty: hasFailed
      ? t('why.failed')
      : isShort
        ? t('why.short')
        : found?.why
          ? t(`why.${found.why}`)
          : null,
  }
}
