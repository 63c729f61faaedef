import { useText } from '#client/base/use-text.ts'
import type { View } from '#client/session/routes.ts'
import { useServerText } from '#client/session/server-text.ts'
import { useViewTitle } from './view-title.ts'

/**
 * A list of our own, because Blueprint puts a div into its ol, which is invalid. Groups are not
 * pages, so only the last step is marked as the current page.
 */
export function Breadcrumb({ view }: { view: View }) {
  const t = useText('shell')
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
