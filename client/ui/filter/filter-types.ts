import type { FilterKind } from '#client/ui/grid/grid-url.ts'
import type { FilterOption } from './filter-text.ts'

export interface FilterField<Name extends string = string> {
  name: Name
  kind: FilterKind
  /** In the user's language. */
  label: string
  options?: readonly FilterOption[]
  /**
   * `quick`: first, focused by `/` · `bar`: always visible · `more`: behind the button (default) ·
   * `views`: the view chips of the list choose and show it.
   */
  place?: 'quick' | 'bar' | 'more' | 'views'
  placeholder?: string
  /** Shown as chosen where nothing is chosen; not counted as a filter. */
  preset?: string | undefined
}
