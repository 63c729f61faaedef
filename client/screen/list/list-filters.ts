/** Filters of a list as data: in the address by their kind, on the bar in this order. */
import type { SessionUser } from '#client/session/session-store.ts'
import type { FilterOption } from '#client/ui/filter/filter-text.ts'
import type { FilterKind } from '#client/ui/grid/grid-url.ts'
import type { Endpoint, InputOf } from '#shared/kernel/endpoint.ts'
import type { ListContext, ListFilters, ListRead } from './list-types.ts'

export interface ListFilter {
  kind: FilterKind
  /** A key, or words. */
  label: string | ((context: ListContext) => string)
  /** As in FilterField. */
  place?: 'quick' | 'bar' | 'views'
  /** A key. On the bar a text is named by it, else by its label. */
  placeholder?: string
  options?: (context: ListContext) => readonly FilterOption[]
  when?: (context: ListContext) => boolean
  /** The default where the address has none: the bar shows it as chosen. */
  preset?: (context: ListContext) => string | undefined
}

/** @returns with `kinds` typed by the filters, for `Filters<typeof FILTERS.kinds>` */
export function filtersOf<const Fields extends Readonly<Record<string, ListFilter>>>(
  filters: Fields,
): Omit<ListFilters<keyof Fields & string>, 'kinds'> & {
  kinds: { readonly [Name in keyof Fields]: Fields[Name]['kind'] }
} {
  // the keys are the names
  const all = Object.entries<ListFilter>(filters) as [keyof Fields & string, ListFilter][]
  return {
    kinds: Object.fromEntries(all.map(([name, { kind }]) => [name, kind])) as {
      [Name in keyof Fields]: Fields[Name]['kind']
    },
    fields: (context) =>
      all
        .filter(([, { when }]) => when?.(context) ?? true)
        .map(([name, { kind, label, place, placeholder, options, preset }]) => {
          const words = typeof label === 'string' ? context.t(label) : label(context)
          return {
            name,
            kind: kind === 'private' ? 'text' : kind,
            label: words,
            ...(place && { place }),
            ...(placeholder === undefined ? {} : { placeholder: context.t(placeholder) }),
            ...(options && { options: options(context) }),
            preset: preset?.(context),
          }
        }),
  }
}

/** A closed set, each member by the text under `prefix`. */
export function wordsOf(
  prefix: string,
  values: readonly (string | number)[],
): (context: ListContext) => FilterOption[] {
  return ({ t }) =>
    values.map((value) => ({ value: String(value), label: t(`${prefix}.${value}`) }))
}

export function yesNo({ t }: ListContext): FilterOption[] {
  return [
    { value: 'true', label: t('ui:yes') },
    { value: 'false', label: t('ui:no') },
  ]
}

/** Things by id and name. */
export function named(rows: readonly { id: string; name: string }[] | undefined): FilterOption[] {
  return (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
}

/** People by name and account. */
export function people(
  rows: readonly { userId: string; userName: string; account: string }[] | undefined,
): FilterOption[] {
  return (rows ?? []).map(({ userId, userName, account }) => ({
    value: userId,
    label: `${userName} (${account})`,
  }))
}

/** @param when whether this person needs, and may ask for, the answer */
export function reads<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  when: (user: SessionUser) => boolean = () => true,
): ListRead {
  return { endpoint, input, when }
}
