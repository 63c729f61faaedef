import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { BatchKind } from '#shared/rules/batch-sets.ts'
import type { BatchPreview } from './batch-types.ts'
import { stepWords } from './batch-words.ts'

/** How many orders are taken, three of them, and the others under their reasons. */
export function BatchPreviewPane({
  type,
  preview: { orderIds, examples, excluded },
}: {
  type: BatchKind
  preview: BatchPreview
}): ReactNode {
  const t = useText('rules', 'review')
  const wordOf = (value: string) => stepWords(t, type, value)
  return (
    <div className="batch-preview" role="status">
      <strong>{t('preview.taken', { n: orderIds.length })}</strong>
      {examples.length > 0 && (
        <ul className="tabular">
          {examples.map(({ orderId, before, after }) => (
            <li key={orderId}>
              {t('preview.example', {
                orderId,
                before: wordOf(before),
                after: wordOf(after),
              })}
            </li>
          ))}
        </ul>
      )}
      {excluded.length > 0 && (
        <dl>
          {excluded.map(({ why, n, orderIds: ids }) => (
            <div key={why}>
              <dt>{t('preview.left', { why: t(`why.${why}`), n })}</dt>
              <dd className="tabular">{ids.join(', ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
