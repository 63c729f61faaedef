import { chooseAppLanguage, currentLanguage } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '#shared/kernel/languages.ts'
import { GlobeIcon } from './login-icons.tsx'

/** Each language by its own name, so that it is found in any interface language. */
export function LoginLanguage() {
  const t = useText('session')
  return (
    <label className="login-language">
      <GlobeIcon />
      <span className="visually-hidden">{t('login.language')}</span>
      <select
        value={currentLanguage()}
        onChange={(event) => void chooseAppLanguage(event.target.value as Language)}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </select>
    </label>
  )
}
