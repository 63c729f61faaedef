import { useText } from '#client/base/use-text.ts'
import { showMessage } from '#client/session/messages.ts'
import { SIZES } from '#shared/preferences/preference-sets.ts'
import { ChoiceMenu } from './ChoiceMenu.tsx'
import { choose, usePreferences } from '#client/base/preferences.ts'

export function SizeMenu() {
  const t = useText('shell')
  const { size } = usePreferences()
  return (
    <ChoiceMenu
      icon={<SizeIcon />}
      label={t('size.label')}
      chosen={size}
      choices={SIZES.map((value) => ({ value, text: t(`size.${value}`) }))}
      onChoose={(value) => {
        choose({ size: value })
        void showMessage({ intent: 'success', message: t('size.switched'), key: 'size' })
      }}
    />
  )
}

/** A small and a large letter; Blueprint has no such icon. */
function SizeIcon() {
  return (
    <span className="size-icon" aria-hidden="true">
      A<small>a</small>
    </span>
  )
}
