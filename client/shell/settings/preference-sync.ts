/**
 * Loads the user's preferences from the server and sends changes to it, columns of lists included.
 * A chunk of its own: the first render uses the values stored in the browser.
 */
import { readCookie } from '#client/base/cookies.ts'
import { chooseAppLanguage, i18n } from '#client/base/i18n.ts'
import { call } from '#client/session/call.ts'
import {
  adoptColumns,
  DEFAULT_COLUMNS,
  parseColumns,
  readColumns,
  subscribeColumns,
} from '#client/ui/grid/column-store.ts'
import type { InputOf } from '#shared/kernel/endpoint.ts'
import { isLanguage, LANGUAGE_COOKIE } from '#shared/kernel/languages.ts'
import { getPreferences, savePreferences } from '#shared/preferences/preferences-api.ts'
import { adopt, type Chosen, onChoice } from '#client/base/preferences.ts'

type Saved = InputOf<typeof savePreferences>
const SAVE_AFTER_MS = 400

/** @returns stops it; the last change is still sent */
export function syncPreferences(): () => void {
  let unsaved: Saved = {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false

  function save(): void {
    clearTimeout(timer)
    const sent = unsaved
    if (Object.keys(sent).length === 0) return
    unsaved = {}
    // After a failed call the choice is sent with the next one.
    void call(savePreferences, sent, { quiet: true }).catch(() => {
      unsaved = {
        ...sent,
        ...unsaved,
        ...(sent.grids || unsaved.grids ? { grids: { ...sent.grids, ...unsaved.grids } } : {}),
      }
    })
  }

  function changed(fields: Saved): void {
    unsaved = {
      ...unsaved,
      ...fields,
      ...(fields.grids ? { grids: { ...unsaved.grids, ...fields.grids } } : {}),
    }
    clearTimeout(timer)
    timer = setTimeout(save, SAVE_AFTER_MS)
  }

  const onLanguage = (language: string): void => {
    if (isLanguage(language)) changed({ language })
  }
  const offChoice = onChoice((fields) => changed(copyOf(fields)))
  const offColumns = subscribeColumns((list) => {
    if (list === undefined) return
    const columns = readColumns(list)
    changed({
      grids: {
        [list]:
          columns === DEFAULT_COLUMNS
            ? null
            : {
                order: [...columns.order],
                hidden: [...columns.hidden],
                pinned: { ...columns.pinned },
                widths: { ...columns.widths },
              },
      },
    })
  })
  i18n.on('languageChanged', onLanguage)
  window.addEventListener('pagehide', save)

  void call(getPreferences, {}, { quiet: true }).then(
    ({ grids, language, ...known }) => {
      if (ended) return
      // Changes made while the answer was under way are kept.
      adopt(
        Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(unsaved, name))),
      )
      adoptColumns(
        Object.fromEntries(
          Object.entries(grids)
            .filter(([list]) => unsaved.grids?.[list] === undefined)
            .map(([list, columns]) => [list, parseColumns(columns)]),
        ),
      )
      // The language of this browser has precedence over the stored one.
      if (language !== null && readCookie(LANGUAGE_COOKIE) === null)
        void chooseAppLanguage(language)
    },
    () => undefined,
  )
  return () => {
    ended = true
    offChoice()
    offColumns()
    i18n.off('languageChanged', onLanguage)
    window.removeEventListener('pagehide', save)
    save()
  }
}

function copyOf({ sounds, favourites, ...rest }: Partial<Chosen>): Saved {
  return {
    ...rest,
    ...(sounds && { sounds: { ...sounds } }),
    ...(favourites && { favourites: [...favourites] }),
  }
}
