import { useLanguage, useText } from '#client/base/use-text.ts'
import { countryName } from './country.ts'
import { useCountryClock } from './use-clock.ts'

/** Clock in the time zone of the user's country, by the server's time. */
export function Clock() {
  const t = useText('shell')
  const language = useLanguage()
  const { day, time, country, demo } = useCountryClock()
  const label = t(demo ? 'clockDemo' : 'clock', { country: countryName(country, language) })
  return (
    <span className="clock tabular" title={`${label} · ${day}`}>
      <span className="visually-hidden">{label}: </span>
      <time dateTime={`${day}T${time}`}>{time}</time>
      <span className="clock-zone" aria-hidden="true">
        {country === 'IN' ? 'IST' : country}
      </span>
      {demo ? <span className="clock-demo">{t('demo')}</span> : null}
    </span>
  )
}
