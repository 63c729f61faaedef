import { useTranslation } from 'react-i18next'
import type { View } from '#client/app/routes.ts'
import { useServerText } from './server-text.ts'
import { useViewTitle } from './view-title.ts'

/** Our own list: Blueprint's puts a div into its ol (ux.md G5). Groups are no pages, so only the last step is named as one. */
export function Breadcrumb({ view }: { view: View }) {
  const { t } = useTranslation('shell')
  const text = useServerText()
  const titleOf = useViewTitle()
  const steps =
    view.kind === 'menu' || view.kind === 'unbuilt'
      ? view.page.trail.map((step) => text(step.title, step.name))
      : view.kind === 'detail' || view.kind === 'constant'
        ? [titleOf(view)]
        : []
  return (
    <nav className="breadcrumb" aria-label={t('breadcrumb')}>
      <ol>
        {steps.map((step, i) => (
          <li key={step + i} aria-current={i === steps.length - 1 ? 'page' : undefined}>
            {step}
          </li>
        ))}
      </ol>
    </nav>
  )
}
