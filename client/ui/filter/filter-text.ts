/** How an active filter reads on its chip and button. */
import { formatPaise } from '#shared/kernel/money.ts'
import type { FilterKind, Range } from '#client/ui/grid/grid-url.ts'
import { formatIst } from '#client/ui/value/ist-format.ts'

export interface FilterOption {
  value: string
  /** In the user's language. */
  label: string
}

/** Of more than two chosen members two are named only when their names are short. */
const NAMED_LETTERS = 24

/**
 * `M1, M2, +3` · `₹100.00 – ₹500.00` · `≥ 30` · `01 Nov 2026 – 30 Nov 2026`; empty when the filter
 * is.
 */
export function filterText(
  kind: FilterKind,
  value: unknown,
  options: readonly FilterOption[] | undefined,
  language: string,
): string {
  const label = (code: string) => options?.find((option) => option.value === code)?.label ?? code
  if (value === undefined || value === '' || value === false) return ''
  if (kind === 'flag') return '✓'
  if (kind === 'many') {
    const chosen = value as readonly string[]
    const names = chosen.slice(0, 2).map(label)
    const shown =
      chosen.length > 2 && names.join().length > NAMED_LETTERS ? names.slice(0, 1) : names
    const rest = chosen.length - shown.length
    return [...shown, ...(rest > 0 ? [`+${rest}`] : [])].join(', ')
  }
  if (kind === 'one') return label(String(value))
  if (kind === 'text') return String(value)
  const { from, to } = value as Range<number | string>
  const show = (bound: number | string) =>
    kind === 'money'
      ? formatPaise(Number(bound))
      : kind === 'day'
        ? formatIst(String(bound), 'day', language)
        : String(bound)
  if (from === undefined) return to === undefined ? '' : `≤ ${show(to)}`
  if (to === undefined) return `≥ ${show(from)}`
  return from === to ? show(from) : `${show(from)} – ${show(to)}`
}
