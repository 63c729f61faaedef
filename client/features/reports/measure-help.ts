/** The definition of a measure, for the screens that show it outside of the reports. */
import { useTranslation } from 'react-i18next'
import type { MeasureName } from '#shared/reports/measures.ts'

/** Undefined until the texts of the reports have loaded: nothing waits for a help text. */
export function useMeasureHelp(): (measure: MeasureName) => string | undefined {
  const { t, ready } = useTranslation('reports', { useSuspense: false })
  return (measure) => (ready ? t(`help.${measure}`) : undefined)
}
