/** A month of whole weeks, Monday first in every language. Its library loads when first opened. */
import { DatePicker } from '@blueprintjs/datetime'
import type { Locale } from 'date-fns'
import { type ComponentProps, type ReactNode, use, useMemo } from 'react'
import { useLanguage, useText } from '#client/base/use-text.ts'
import type { Language } from '#shared/kernel/languages.ts'
import { calendarDate, dayOfCalendar } from './day-text.ts'
import './calendar.css'

/** In a bundle the library cannot load its locales itself. */
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

interface CalendarProps {
  /** IST day `YYYY-MM-DD`; null = none selected. */
  day: string | null
  today: string
  min?: string | undefined
  max?: string | undefined
  onPick: (day: string) => void
  marks?: Pick<
    NonNullable<ComponentProps<typeof DatePicker>['dayPickerProps']>,
    'modifiers' | 'modifiersClassNames'
  >
}

export function Calendar({ day, today, min, max, onPick, marks }: CalendarProps): ReactNode {
  const t = useText('ui')
  const language = useLanguage()
  const locale = use(localeOf(language as Language))
  // The picker returns to its value's month whenever the value is another object.
  const value = useMemo(() => (day === null ? null : calendarDate(day)), [day])
  const years = [day ?? today, today].map((one) => Number(one.slice(0, 4)))
  return (
    <DatePicker
      {...(locale === undefined ? {} : { locale })}
      value={value}
      minDate={min === undefined ? new Date(Math.min(...years) - YEARS, 0, 1) : calendarDate(min)}
      maxDate={
        max === undefined ? new Date(Math.max(...years) + YEARS, 11, 31, 23) : calendarDate(max)
      }
      canClearSelection={false}
      dayPickerProps={{
        initialFocus: true,
        ISOWeek: true,
        today: calendarDate(today),
        ...marks,
        labels: {
          labelMonthDropdown: () => t('calendar.month'),
          labelYearDropdown: () => t('calendar.year'),
          labelPrevious: () => t('calendar.monthBefore'),
          labelNext: () => t('calendar.monthAfter'),
        },
      }}
      // Moving to another month selects nothing.
      onChange={(date, isChosen) => date !== null && isChosen && onPick(dayOfCalendar(date))}
    />
  )
}

/**
 * Without its texts the calendar is in English; they are requested again when it is next opened.
 */
function localeOf(language: Language): Promise<Locale | undefined> {
  const known = loading.get(language)
  if (known) return known
  const locale = LOCALES[language]().then(
    ({ default: loaded }) => loaded,
    () => void loading.delete(language),
  )
  loading.set(language, locale)
  return locale
}
