/**
 * The command palette (Ctrl+K): pages, records, actions of this screen and of the frame, and recent
 * addresses.
 */
import { useLayoutEffect, useRef, useState } from 'react'
import { useText } from '#client/base/use-text.ts'
import { useLocation, useSearch } from 'wouter'
import { registeredScreens } from '#client/base/screens.ts'
import { viewOf } from '#client/session/routes.ts'
import { signOut } from '#client/session/logout.ts'
import { useSession } from '#client/session/session-store.ts'
import { offeredActions } from '#client/ui/frame/offers.ts'
import { FAVOURITES_LIMIT } from '#shared/preferences/preference-sets.ts'
import { toggleFullscreen } from '../fullscreen.ts'
import { openPanel } from '#client/screen/panel-store.ts'
import { choose, usePreferences } from '#client/base/preferences.ts'
import { readRecents } from '../recents.ts'
import { printedKeys, runnableShortcuts } from '#client/ui/frame/shortcuts.ts'
import { AFFIXED, addressOf } from '#client/screen/tabs.ts'
import { useViewTitle } from '../view-title.ts'
import { Finder, type FinderGroup, type FinderOption } from './Finder.tsx'
import { useRecordOptions } from './record-options.ts'
import { screenButtons } from './screen-buttons.ts'
import { useFindablePages, usePageSearch } from './use-page-search.ts'

/** A phone, an id, a UTR; a text without digits is first of all the name of a screen. */
const NUMBER = /\d{3,}/
const RECENTS = 6

export function Palette({ onClose }: { onClose: () => void }) {
  const t = useText('search')
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { groups, empty } = useGroups(text)

  // The native dialog traps and restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t('palette')}
      onCancel={onClose}
      onMouseDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <Finder
        label={t('palette')}
        placeholder={t('paletteHint')}
        text={text}
        onText={setText}
        groups={groups}
        empty={empty}
        onPick={(option) => {
          onClose()
          // When the page has its focus back.
          setTimeout(option.run)
        }}
      />
    </dialog>
  )
}

function useGroups(text: string): { groups: FinderGroup[]; empty: string } {
  const t = useText('search')
  const [, navigate] = useLocation()
  const found = usePageSearch(text)
  const pages = useFindablePages()
  const records = useRecordOptions(text)
  const actions = useActions()
  const recents = useRecents()
  const { favourites } = usePreferences()
  const asOption = (page: (typeof pages)[number]): FinderOption => ({
    id: `page-${page.name}`,
    icon: 'document',
    text: page.title,
    note: page.trail.join(' / '),
    run: () => navigate(page.path),
  })
  const words = text.trim().toLowerCase().split(/\s+/)
  if (text.trim() === '') {
    const starred = pages.filter((page) => favourites.includes(page.name))
    return {
      empty: t('none'),
      groups: [
        {
          title: t('group.favourites'),
          options: starred.map((page) => ({
            ...asOption(page),
            id: `star-${page.name}`,
            icon: 'star',
          })),
        },
        { title: t('group.recents'), options: recents },
        { title: t('group.actions'), options: actions },
        { title: t('group.pages'), options: pages.map(asOption) },
      ],
    }
  }
  const names = (label: string): boolean =>
    words.every((word) => label.toLowerCase().includes(word))
  const matching = actions.filter((action) => names(`${action.text} ${action.note ?? ''}`))
  const titled: FinderGroup = { title: t('group.pages'), options: found.map(asOption) }
  const acting: FinderGroup = { title: t('group.actions'), options: matching }
  // an action that was named comes before screens that are only spelt alike
  const screens = found.some((page) => names(page.title)) ? [titled, acting] : [acting, titled]
  return {
    empty: records.empty ?? t('none'),
    // a late answer must not push the screen under Enter away
    groups: NUMBER.test(text) ? [...records.groups, ...screens] : [...screens, ...records.groups],
  }
}

function useRecents(): FinderOption[] {
  const { index, user } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const titleOf = useViewTitle()
  const table = { index, ...registeredScreens() }
  const here = viewOf(table, path, search && `?${search}`).tab
  return readRecents(user.userId)
    .flatMap((recent): FinderOption[] => {
      const view = viewOf(table, recent.path, recent.search)
      return view.tab === null || view.tab === here
        ? []
        : [
            {
              id: `recent-${recent.key}`,
              icon: 'time',
              text: titleOf(view),
              run: () => navigate(addressOf(recent)),
            },
          ]
    })
    .slice(0, RECENTS)
}

interface Found {
  keys: ReturnType<typeof runnableShortcuts>
  offered: ReturnType<typeof offeredActions>
  buttons: ReturnType<typeof screenButtons>
}

/** The shortcuts, row actions and buttons of the screen, then the actions of the frame. */
function useActions(): FinderOption[] {
  const t = useText('search', 'shell')
  const { index } = useSession()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const { isDark, favourites } = usePreferences()
  const page = index.pages.get(path)
  const isStarred = page !== undefined && favourites.includes(page.name)
  const textOf = useText('search', 'shell')
  // Pages have their own group, so the shortcuts that open them are left out.
  const [{ keys, offered, buttons }, setFound] = useState<Found>({
    keys: [],
    offered: [],
    buttons: [],
  })
  // The state when the palette opens, before it is painted; whether a shortcut is active may only be
  // read outside of rendering.
  useLayoutEffect(
    () =>
      setFound({ keys: runnableShortcuts(), offered: offeredActions(), buttons: screenButtons() }),
    [],
  )
  const keyed = keys
    .filter((shortcut) => !shortcut.id.startsWith('go-') && shortcut.id !== 'palette')
    .map((shortcut): FinderOption => ({
      id: `key-${shortcut.scope}-${shortcut.id}`,
      icon: shortcut.scope === 'screen' ? 'flag' : 'key',
      text: textOf(shortcut.labelKey, shortcut.labelParams),
      keys: printedKeys(shortcut.code),
      run: shortcut.run,
    }))
  // A shortcut, a row action and a button may be the same action: the shortcut has the best label.
  const named = new Set(keyed.map(({ text }) => text))
  const coded = new Set(offered.map(({ code }) => code))
  const here: FinderOption[] = [
    ...offered.map(({ id, text, note, code, disabledReason, run }): FinderOption => ({
      id: `offer-${id}`,
      icon: 'flag',
      text,
      run,
      disabledReason: disabledReason ?? null,
      ...(note === undefined ? {} : { note }),
      ...(code === undefined ? {} : { keys: printedKeys(code) }),
    })),
    ...buttons
      .filter(({ text, code }) => !named.has(text) && (code === null || !coded.has(code)))
      .map(({ text, note, code, disabledReason, press }, i): FinderOption => ({
        id: `button-${i}`,
        icon: 'flag',
        text,
        disabledReason,
        run: press,
        ...(note === null ? {} : { note }),
        ...(code === null ? {} : { keys: printedKeys(code) }),
      })),
  ]
  const own: FinderOption[] = [
    ...(page && (isStarred || favourites.length < FAVOURITES_LIMIT)
      ? [
          {
            id: 'star',
            icon: 'star' as const,
            text: isStarred ? t('search:action.unstar') : t('search:action.star'),
            run: () =>
              choose({
                favourites: isStarred
                  ? favourites.filter((name) => name !== page.name)
                  : [...favourites, page.name],
              }),
          },
        ]
      : []),
    {
      id: 'refresh',
      icon: 'refresh',
      text: t('search:action.refresh'),
      run: () => navigate(`/redirect${path}${search && `?${search}`}`),
    },
    { id: 'home', icon: 'home', text: t('search:action.home'), run: () => navigate(AFFIXED) },
    {
      id: 'settings',
      icon: 'settings',
      text: t('shell:settings'),
      run: () => openPanel('settings'),
    },
    {
      id: 'mode',
      icon: 'moon',
      text: isDark ? t('shell:theme.light') : t('shell:theme.dark'),
      run: () => choose({ mode: isDark ? 'light' : 'dark' }),
    },
    {
      id: 'fullscreen',
      icon: 'fullscreen',
      text: t('shell:fullscreen.enter'),
      run: () => void toggleFullscreen(),
    },
    { id: 'logout', icon: 'log-out', text: t('shell:account.logout'), run: () => void signOut() },
  ]
  return [...keyed, ...here, ...own]
}
