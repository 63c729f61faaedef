/** What a limit judges, in words. Texts of `reports` and `review`. */
import type { ListContext } from '#client/screen/list/list-types.ts'
import type { Alert } from './alert-types.ts'

export type JudgedRow = Pick<Alert, 'report' | 'part' | 'partGroup' | 'partName'>

/** A row of the report; empty for the whole. */
export function partText(
  { report, part, partGroup, partName }: JudgedRow,
  { t }: Pick<ListContext, 't'>,
): string {
  if (part === null) return ''
  if (report === 'process') return t(`reports:step.${part}`)
  if (report === 'recycling' || report === 'preRemind')
    return t('reports:cohort.at', { day: Number(part) > 0 ? `+${part}` : part })
  if (report === 'reason') return `${part} ${t(`review:reject.${part}`)}`
  if (partGroup === 'route') return t(`reports:route.${part}`)
  return partName === null ? part : `${part} ${partName}`
}

/** Which of its figures the report counts for it; empty for all. */
export function filterText(
  { filters, filterNames }: Pick<Alert, 'filters' | 'filterNames'>,
  { t }: Pick<ListContext, 't'>,
): string {
  return Object.entries(filters)
    .map(([name, value]) => {
      if (name === 'customerClass') return t(`reports:class.${value}`)
      return name === 'tag' ? t(`reports:tag.${value}`) : (filterNames[name] ?? value)
    })
    .join(' · ')
}
