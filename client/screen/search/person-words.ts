/** What distinguishes the people found: the last digits and the order that runs. */
import type { Text } from '#client/base/use-text.ts'
import { i18n } from '#client/base/i18n.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'
import type { FoundPerson } from '#shared/search/search-api.ts'

/** `t` has the namespace `search`. */
export function personNote(t: Text, person: FoundPerson): string {
  return [person.phone, orderNote(t, person), ticketsNote(t, person)].filter(Boolean).join(' · ')
}

export function orderNote(t: Text, { openOrder }: FoundPerson): string {
  if (openOrder === null) return t('search:person.noOrder')
  const { orderId, overdueDays, dueDay } = openOrder
  if (overdueDays > 0) return t('search:person.overdue', { orderId, count: overdueDays })
  return dueDay === null
    ? t('search:person.applied', { orderId })
    : t('search:person.due', { orderId, day: formatIst(dueDay, 'day', i18n.language) })
}

export function ticketsNote(t: Text, { openTickets }: FoundPerson): string {
  return openTickets === 0 ? '' : t('search:person.tickets', { count: openTickets })
}
