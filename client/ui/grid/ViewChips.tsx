/** The preset views of a list, one click each. */
import './view-chips.css'
import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'

interface ViewChipsProps<View extends string> {
  views: readonly View[]
  /** No chip is selected while the filters match none of them. */
  chosen: View | null
  textOf: (view: View) => string
  onChoose: (view: View) => void
}

export function ViewChips<View extends string>({
  views,
  chosen,
  textOf,
  onChoose,
}: ViewChipsProps<View>): ReactNode {
  const t = useText('ui')
  return (
    <div className="view-chips" role="group" aria-label={t('grid.views')}>
      {views.map((view) => (
        <button
          key={view}
          type="button"
          className="view-chip"
          aria-pressed={chosen === view}
          onClick={() => onChoose(view)}
        >
          {textOf(view)}
        </button>
      ))}
    </div>
  )
}
