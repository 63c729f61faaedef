import './conditions.css'
import type { ReactNode } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { Catalogue } from '#shared/conditions/catalogue.ts'
import { type Condition, isGroup } from '#shared/conditions/condition.ts'
import type { Evaluation } from '#shared/conditions/evaluate-condition.ts'
import { comparisonText, namespacesOf } from './condition-words.ts'

interface ConditionTextProps {
  condition: Condition
  catalogue: Catalogue
  /** Marks every node with its result. */
  evaluation?: Evaluation | undefined
}

/** A condition to read. */
export function ConditionText({ condition, catalogue, evaluation }: ConditionTextProps): ReactNode {
  const t = useText('conditions', ...namespacesOf(catalogue))
  const language = useLanguage()
  if (!isGroup(condition))
    return (
      <span className="condition-said">
        <Mark evaluation={evaluation} />
        {comparisonText(t, catalogue, condition, language)}
      </span>
    )
  const { kind, of } = condition
  return (
    <div className={`condition-said is-${kind}`}>
      <span className="condition-kind">
        <Mark evaluation={evaluation} />
        {t(`group.${kind}`)}
      </span>
      <ul>
        {of.map((node, i) => (
          <li key={i}>
            <ConditionText
              condition={node}
              catalogue={catalogue}
              evaluation={evaluation?.of?.[i]}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Mark({ evaluation }: { evaluation: Evaluation | undefined }): ReactNode {
  const t = useText('conditions')
  if (!evaluation) return null
  const { truth, cause } = evaluation
  const word = truth === null ? 'unknown' : truth ? 'holds' : 'fails'
  const label = cause ? `${t(`truth.${word}`)}: ${t(`cause.${cause}`)}` : t(`truth.${word}`)
  return (
    <span className={`condition-mark is-${word}`} role="img" aria-label={label} title={label}>
      {MARKS[word]}
    </span>
  )
}
const MARKS = { holds: '✓', fails: '✗', unknown: '?' } as const
