import { useText } from '#client/base/use-text.ts'
import type { ReactNode } from 'react'
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

/** @param onChange null = read-only */
export function Checklist({
  value,
  onChange,
}: {
  value: Readonly<Record<string, boolean>>
  onChange: ((value: Record<string, boolean>) => void) | null
}): ReactNode {
  const t = useText('review')
  const done = CHECK_POINTS.filter((point) => value[point]).length
  return (
    <Folded
      title={t('section.checklist')}
      summary={<span className="desk-muted tabular">{`${done}/${CHECK_POINTS.length}`}</span>}
    >
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
          </label>
        ))}
      </div>
    </Folded>
  )
}
