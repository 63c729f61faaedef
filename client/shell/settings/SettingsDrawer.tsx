/** The user's settings: applied at once, stored on the server and in this browser. */
import './settings.css'
import { Spinner, Switch } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { Segmented } from '#client/ui/form/Segmented.tsx'
import { SideDrawer } from '#client/ui/frame/SideDrawer.tsx'
import { MODES, SOUND_KINDS, type Theme, THEMES } from '#shared/preferences/preference-sets.ts'
import { type Chosen, choose, usePreferences } from '#client/base/preferences.ts'
import { playSound } from '#client/base/sound.ts'

/** Long enough to be read, although the colours change with the next frame. */
const COMPILING_MS = 700

const COLOUR_KEYS = {
  '#1890ff': 'blue',
  '#304156': 'slate',
  '#212121': 'black',
  '#11a983': 'green',
  '#13c2c2': 'teal',
  '#6959cd': 'purple',
  '#f5222d': 'red',
  '#eb8f00': 'amber',
} as const satisfies Record<Theme, string>
type Flag = { [Name in keyof Chosen]: Chosen[Name] extends boolean ? Name : never }[keyof Chosen]
const LAYOUT: readonly Flag[] = ['tagsView', 'fixedHeader', 'sidebarLogo']
const WORK: readonly Flag[] = ['pinyinSearch', 'motion', 'singleKeys']

export function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const preferences = usePreferences()
  const [compiling, setCompiling] = useState(0)

  useEffect(() => {
    if (compiling === 0) return
    const timer = setTimeout(() => setCompiling(0), COMPILING_MS)
    return () => clearTimeout(timer)
  }, [compiling])

  const flags = (names: readonly Flag[]) =>
    names.map((name) => (
      <Switch
        key={name}
        alignIndicator="end"
        checked={preferences[name]}
        label={t(`flag.${name}`)}
        onChange={(event) => choose({ [name]: event.currentTarget.checked })}
      />
    ))

  return (
    <SideDrawer isOpen title={t('title')} width={340} onClose={onClose}>
      <div className="settings">
        <Part title={t('theme')}>
          <Swatches
            chosen={preferences.theme}
            onChoose={(theme) => {
              choose({ theme })
              setCompiling((n) => n + 1)
            }}
          />
          <p className="settings-state" role="status">
            {compiling > 0 ? (
              <>
                <Spinner size={14} /> {t('compiling')}
              </>
            ) : null}
          </p>
          <Segmented
            label={t('mode.label')}
            segments={MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
            value={preferences.mode}
            onChange={(mode) => choose({ mode })}
          />
        </Part>
        <Part title={t('layout')}>{flags(LAYOUT)}</Part>
        <Part title={t('work')}>{flags(WORK)}</Part>
        <Part title={t('sounds')}>
          <p className="settings-note">{t('soundsNote')}</p>
          {SOUND_KINDS.map((kind) => (
            <Switch
              key={kind}
              alignIndicator="end"
              checked={preferences.sounds[kind] === true}
              label={t(`sound.${kind}`)}
              onChange={(event) => {
                const on = event.currentTarget.checked
                choose({ sounds: { ...preferences.sounds, [kind]: on } })
                if (on) playSound(kind)
              }}
            />
          ))}
        </Part>
      </div>
    </SideDrawer>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

/** A radio group of colours, each with its name. */
function Swatches({ chosen, onChoose }: { chosen: Theme; onChoose: (theme: Theme) => void }) {
  const t = useText('settings')
  function move(event: KeyboardEvent<HTMLDivElement>) {
    const by =
      event.key === 'ArrowRight' || event.key === 'ArrowDown'
        ? 1
        : event.key === 'ArrowLeft' || event.key === 'ArrowUp'
          ? -1
          : 0
    if (by === 0) return
    event.preventDefault()
    const next = THEMES[(THEMES.indexOf(chosen) + by + THEMES.length) % THEMES.length] as Theme
    onChoose(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-theme-colour="${next}"]`)?.focus()
  }
  return (
    <div role="radiogroup" aria-label={t('theme')} className="swatches" onKeyDown={move}>
      {THEMES.map((theme) => (
        <button
          key={theme}
          type="button"
          role="radio"
          aria-checked={theme === chosen}
          aria-label={t(`colour.${COLOUR_KEYS[theme]}`)}
          title={t(`colour.${COLOUR_KEYS[theme]}`)}
          tabIndex={theme === chosen ? 0 : -1}
          data-theme-colour={theme}
          className="swatch"
          style={{ background: theme }}
          onClick={() => onChoose(theme)}
        />
      ))}
    </div>
  )
}
