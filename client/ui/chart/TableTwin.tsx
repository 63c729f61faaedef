import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { ChartData, ChartKind } from './chart-types.ts'
import { twinOf } from './chart-table.ts'

/** The values of a chart as a table: shown instead of it, or for screen readers alone. */
export function TableTwin({
  data,
  kind,
  title,
  isShown,
  onOpen,
}: {
  data: ChartData
  kind: ChartKind
  title: string
  isShown: boolean
  onOpen?: ((href: string) => void) | undefined
}): ReactNode {
  const t = useText('chart')
  const { heads, rows } = twinOf(data, kind, {
    t,
    ofStep: t('stepShare'),
    ofAll: t('allShare'),
    previous: (label) =>
      data.previousLabel === undefined
        ? t('previousOf', { label })
        : `${label}, ${data.previousLabel}`,
  })
  return (
    <div
      className={isShown ? 'chart-table' : 'visually-hidden'}
      role="region"
      aria-label={t('tableOf', { title })}
      tabIndex={isShown ? 0 : undefined}
    >
      <table>
        <thead>
          <tr>
            <td />
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, cells }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {cells.map(({ text, href, isHollow }, index) => (
                <td key={heads[index]} className={isHollow ? 'is-hollow' : ''}>
                  {/* A link that cannot be seen would take the focus. */}
                  {isShown && href !== undefined ? (
                    <a
                      href={href}
                      onClick={(event) => {
                        if (onOpen === undefined || event.ctrlKey || event.metaKey) return
                        event.preventDefault()
                        onOpen(href)
                      }}
                    >
                      {text}
                    </a>
                  ) : (
                    text
                  )}
                  {isHollow ? <span className="visually-hidden"> ({t('hollow')})</span> : null}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
