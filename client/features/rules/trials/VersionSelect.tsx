import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { RuleVersion } from '../book/rule-types.ts'

export function VersionSelect({
  versions,
  value,
  onChange,
}: {
  versions: readonly Pick<RuleVersion, 'versionNo' | 'state'>[]
  value: number
  onChange: (versionNo: number) => void
}): ReactNode {
  const t = useText('rules')
  return (
    <label className="trial-field">
      <span>{t('rule.col.versionNo')}</span>
      <span className="bp6-html-select field-select">
        <select value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {versions.map(({ versionNo, state }) => (
            <option key={versionNo} value={versionNo}>
              {`v${versionNo} · ${t(`rule.versionState.${state}`)}`}
            </option>
          ))}
        </select>
        <span className="field-caret" aria-hidden="true" />
      </span>
    </label>
  )
}
