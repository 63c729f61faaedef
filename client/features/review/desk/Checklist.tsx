import type { ReactNode } from 'react'
import { useSay } from '../use-say.ts'
import { Folded } from './DeskSection.tsx'

/** Points a reviewer looks at; what he ticked goes with the decision. */
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

/** @param onChange null = only shown */
export function Checklist({
  value,
  onChange,
}: {
  value: Readonly<Record<string, boolean>>
  onChange: ((value: Record<string, boolean>) => void) | null
}): ReactNode {
  const t = useSay()
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
