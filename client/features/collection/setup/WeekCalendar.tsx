/** A month of whole weeks, Monday first in every language. It comes with its library when it is first opened. */
import { Button } from '@blueprintjs/core'
import { DatePicker } from '@blueprintjs/datetime'
import type { Locale } from 'date-fns'
import { type ReactNode, use, useMemo } from 'react'
import { currentLanguage } from '#client/app/i18n.ts'
import type { Language } from '#shared/kernel/languages.ts'
import { useSay } from '../use-say.ts'
import { calendarDate, dayOfCalendar, mondayOf } from './duty-week.ts'

/** The library loads none by itself out of a bundle. */
const LOCALES: Record<Language, () => Promise<{ default: Locale }>> = {
  en: () => import('date-fns/locale/en-IN'),
  zh: () => import('date-fns/locale/zh-CN'),
  es: () => import('date-fns/locale/es'),
  ja: () => import('date-fns/locale/ja'),
  vi: () => import('date-fns/locale/vi'),
  id: () => import('date-fns/locale/id'),
  th: () => import('date-fns/locale/th'),
}
const loading = new Map<Language, Promise<Locale | undefined>>()
const YEARS = 2

export function WeekCalendar({ week, today, onPick }: { week: string; today: string; onPick: (monday: string) => void }): ReactNode {
  const t = useSay()
  const locale = use(localeOf(currentLanguage()))
  // the picker goes back to its value's month whenever that is another object
  const value = useMemo(() => calendarDate(week), [week])
  const years = [week, today].map((day) => Number(day.slice(0, 4)))
  return (
    <div className="week-calendar">
      <DatePicker
        {...(locale === undefined ? {} : { locale })}
        value={value}
        minDate={new Date(Math.min(...years) - YEARS, 0, 1)}
        maxDate={new Date(Math.max(...years) + YEARS, 11, 31, 23)}
        canClearSelection={false}
        dayPickerProps={{
          initialFocus: true,
          ISOWeek: true,
          today: calendarDate(today),
          modifiers: { week: (date) => mondayOf(dayOfCalendar(date)) === week },
          modifiersClassNames: { week: 'is-week' },
          labels: { labelMonthDropdown: () => t('setup.month'), labelYearDropdown: () => t('setup.year'), labelPrevious: () => t('setup.monthBefore'), labelNext: () => t('setup.monthAfter') },
        }}
        // turning to another month is no choice
        onChange={(date, isChosen) => date !== null && isChosen && onPick(mondayOf(dayOfCalendar(date)))}
      />
      <Button fill variant="minimal" text={t('setup.thisWeek')} onClick={() => onPick(mondayOf(today))} />
    </div>
  )
}

/** Without its words the calendar is an English one; it asks again when it is next opened. */
function localeOf(language: Language): Promise<Locale | undefined> {
  const known = loading.get(language)
  if (known) return known
  const asked = LOCALES[language]().then(({ default: locale }) => locale, () => void loading.delete(language))
  loading.set(language, asked)
  return asked
}
