import { chooseAppLanguage, currentLanguage } from '#client/base/i18n.ts'
import { useText } from '#client/base/use-text.ts'
import { LANGUAGE_NAMES, LANGUAGES } from '#shared/kernel/languages.ts'
import { ChoiceMenu } from './ChoiceMenu.tsx'

export function LanguageMenu() {
  const t = useText('shell')
  const chosen = currentLanguage()
  return (
    <ChoiceMenu
      icon="translate"
      label={t('language')}
      text={chosen.toUpperCase()}
      chosen={chosen}
      choices={LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value], lang: value }))}
      onChoose={(language) => void chooseAppLanguage(language)}
    />
  )
}
