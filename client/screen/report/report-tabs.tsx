/** Reports of one menu, chosen above; what they share in the address, such as the days, stays. */
import './report.css'
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import type { ScreenComponent } from '#client/base/feature.ts'
import { useText } from '#client/base/use-text.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'

export interface ReportTab {
  /** Its name in the address; its title is under `words`. */
  name: string
  Screen: ScreenComponent
}

/** Choices of a single report. */
const OWN = ['by', 'chart', 'sort']

/** @param tabs must be a constant of its module */
export function reportTabs(
  texts: string,
  words: string,
  tabs: readonly [ReportTab, ...ReportTab[]],
): ScreenComponent {
  Screen.texts = [texts, 'chart']
  return Screen

  function Screen(): ReactNode {
    const t = useText(texts, 'chart')
    const [query, setQuery] = useSearchParams()
    const tab = tabs.find(({ name }) => name === query.get('tab')) ?? tabs[0]
    return (
      <div className="report-tabs">
        <div className="report-tabs-bar">
          <Segmented
            label={t('chart:report.tabs')}
            value={tab.name}
            segments={tabs.map(({ name }) => ({ value: name, label: t(`${words}.${name}`) }))}
            onChange={(next) =>
              setQuery((now) => {
                const kept = new URLSearchParams(now)
                for (const name of OWN) kept.delete(name)
                kept.set('tab', next)
                return kept
              })
            }
          />
        </div>
        <tab.Screen key={tab.name} />
      </div>
    )
  }
}
