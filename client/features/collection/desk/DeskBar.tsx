/** The collector's day in figures, and how long calls are still allowed by law today. */
import { useText } from '#client/base/use-text.ts'
import { Icon } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useMeasureHelp } from '#client/features/reports/public.ts'
import { serverNow } from '#client/session/server-clock.ts'
import { useSecond } from '#client/ui/value/clock.ts'
import { Money } from '#client/ui/value/Money.tsx'
import { istAt, istClock, istDay } from '#shared/kernel/time.ts'
import type { DeskFigures } from './case-types.ts'

export function DeskBar({ figures }: { figures: DeskFigures | undefined }): ReactNode {
  const t = useText('collection')
  const help = useMeasureHelp()
  useSecond()
  if (!figures) return <div className="figure-sum work-figures" aria-busy="true" />
  const now = serverNow()
  const clock = istClock(now)
  const isOpen = clock >= figures.callFrom && clock < figures.callTo
  const left = Math.max(
    0,
    Math.floor((Date.parse(istAt(istDay(now), figures.callTo)) - now) / 60_000),
  )
  return (
    <dl className="figure-sum work-figures">
      <div>
        <dt>{t('desk.list.toFollow')}</dt>
        <dd className="tabular">{figures.open}</dd>
      </div>
      <div>
        <dt>{t('desk.kpi.dueNow')}</dt>
        <dd className={figures.dueNow > 0 ? 'tabular is-bad' : 'tabular'}>{figures.dueNow}</dd>
      </div>
      <div>
        <dt>{t('desk.kpi.ptpToday')}</dt>
        <dd className="tabular">
          {figures.ptpToday} · <Money paise={figures.ptpTodayAmount} />
        </dd>
      </div>
      <div title={help('collectedAmount')}>
        <dt>{t('desk.kpi.recovered')}</dt>
        <dd>
          <Money paise={figures.recoveredToday} />
        </dd>
      </div>
      <div title={t('desk.kpi.contactedHelp')}>
        <dt>{t('desk.kpi.contacted')}</dt>
        <dd className="tabular">
          {figures.contacted}/{figures.had}
        </dd>
      </div>
      <div className={isOpen ? '' : 'is-closed'}>
        <dt>
          {!isOpen && <Icon icon="lock" size={12} />} {t('desk.kpi.window')}
        </dt>
        <dd className="tabular">
          {figures.callFrom}–{figures.callTo}{' '}
          <small>
            {isOpen
              ? t('desk.kpi.left', { hours: Math.floor(left / 60), minutes: left % 60 })
              : t('desk.kpi.closed')}
          </small>
        </dd>
      </div>
    </dl>
  )
}
