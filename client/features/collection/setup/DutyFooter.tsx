import type { ReactNode } from 'react'
import { useText } from '#client/base/use-text.ts'
import type { dutyFooter } from './duty-week.ts'

/** How many people are on duty in each stage, by day. */
export function DutyFooter({
  days,
  stages,
}: {
  days: readonly string[]
  stages: ReturnType<typeof dutyFooter>
}): ReactNode {
  const t = useText('collection')
  return (
    <table className="duty-footer" aria-label={t('setup.onDutyPerStage')}>
      <thead>
        <tr>
          <th scope="col">{t('setup.onDutyPerStage')}</th>
          {days.map((day, n) => (
            <th scope="col" key={day}>
              {t(`weekday.${n + 1}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {stages.map(({ stageId, counts }) => (
          <tr key={stageId}>
            <th scope="row">
              <span className={`tag stage stage-${stageId.toLowerCase()}`}>{stageId}</span>
            </th>
            {counts.map((count, n) => (
              <td key={days[n]} className={count === 0 ? 'tabular is-none' : 'tabular'}>
                {count === 0 ? t('setup.nobody') : count}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
