import { useTranslation } from 'react-i18next'
import { countryName } from './country.ts'
import { useCountryClock } from './use-clock.ts'

/** Clock in the time zone of the user's country, by the server's time. */
export function Clock() {
  const { t, i18n } = useTranslation('shell')
  const { day, time, country } = useCountryClock()
  const label = t('clock', { country: countryName(country, i18n.language) })
  return (
    <span className="clock tabular" title={`${label} · ${day}`}>
      <span className="visually-hidden">{label}: </span>
      <time dateTime={`${day}T${time}`}>{time}</time>
      <span className="clock-zone" aria-hidden="true">
        {country === 'IN' ? 'IST' : country}
      </span>
    </span>
  )
}
