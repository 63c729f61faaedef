import { Button } from '@blueprintjs/core'
import { choose, usePreferences } from '#client/base/preferences.ts'
import { useText } from '#client/base/use-text.ts'

export function ThemeToggle() {
  const t = useText('shell')
  const { isDark } = usePreferences()
  const label = isDark ? t('theme.light') : t('theme.dark')
  return (
    <Button
      variant="minimal"
      icon={isDark ? <SunIcon /> : 'moon'}
      aria-label={label}
      title={label}
      onClick={() => choose({ mode: isDark ? 'light' : 'dark' })}
    />
  )
}

function SunIcon() {
  return (
    <svg
      className="bp6-icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1" />
    </svg>
  )
}
