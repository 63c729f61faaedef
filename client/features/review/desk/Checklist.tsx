import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
import { StatusTag } from '#client/ui/value/StatusTag.tsx'
import { IDENTITY_POINTS } from '#shared/review/review-demands.ts'
import { Folded } from './DeskSection.tsx'

/** Checklist of a reviewer; the ticked points are stored with the decision. */
export const CHECK_POINTS = [
  'livePhoto',
  'panPhoto',
  'aadhaarFront',
  'aadhaarBack',
  'nameMatches',
  'birthdayMatches',
  'faceMatches',
  'accountHolder',
  'address',
] as const

const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_POINTS)

/** @param onChange null = read-only */
export function Checklist({
  isDemanded,
  value,
  onChange,
}: {
  /** A pass needs the identity points. */
  isDemanded: boolean
  value: Readonly<Record<string, boolean>>
  onChange: ((value: Record<string, boolean>) => void) | null
}): ReactNode {
  const t = useText('review')
  const done = CHECK_POINTS.filter((point) => value[point]).length
  return (
    <Folded
      title={t('section.checklist')}
      open={isDemanded || undefined}
      summary={<span className="desk-muted tabular">{`${done}/${CHECK_POINTS.length}`}</span>}
    >
      {isDemanded && (
        <p className="desk-line">
          <StatusTag tone="warn">{t('demand.identity')}</StatusTag> {t('demand.identityMeans')}
        </p>
      )}
      <div className="checklist">
        {CHECK_POINTS.map((point) => (
          <label key={point} className="check">
            <input
              type="checkbox"
              checked={value[point] ?? false}
              disabled={onChange === null}
              onChange={(event) => onChange?.({ ...value, [point]: event.target.checked })}
            />
            {t(`check.${point}`)}
            {isDemanded && IDENTITY.has(point) && <span aria-hidden="true">*</span>}
          </label>
        ))}
      </div>
    </Folded>
  )
}
