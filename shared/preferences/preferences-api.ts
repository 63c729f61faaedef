import Type from 'typebox'
import { endpoint, MapOf, Nothing, Nullable, OneOf } from '#shared/kernel/endpoint.ts'
import { LANGUAGES } from '#shared/kernel/languages.ts'
import { FAVOURITES_LIMIT, MODES, SIZES, SOUND_KINDS, THEMES } from './preference-sets.ts'

/** Names of menus and lists. */
const name = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_./:-]+$' })
const COLUMNS = 120

/** The column layout of one list. */
export const ListColumns = Type.Object(
  {
    order: Type.Array(name, { maxItems: COLUMNS }),
    hidden: Type.Array(name, { maxItems: COLUMNS }),
    pinned: MapOf(OneOf(['left', 'right', 'none']), {
      keys: '^[A-Za-z0-9_.:-]{1,64}$',
      maxProperties: COLUMNS,
    }),
    widths: MapOf(Type.Number({ minimum: 0, maximum: 10_000 }), {
      keys: '^[A-Za-z0-9_.:-]{1,64}$',
      maxProperties: COLUMNS,
    }),
  },
  { additionalProperties: false },
)

const fields = {
  size: OneOf(SIZES),
  /** One of the eight theme colours. */
  theme: OneOf(THEMES),
  mode: OneOf(MODES),
  motion: Type.Boolean(),
  singleKeys: Type.Boolean(),
  sounds: MapOf(Type.Boolean(), {
    keys: `^(?:${SOUND_KINDS.join('|')})$`,
    maxProperties: SOUND_KINDS.length,
  }),
  tagsView: Type.Boolean(),
  fixedHeader: Type.Boolean(),
  sidebarLogo: Type.Boolean(),
  pinyinSearch: Type.Boolean(),
  /** Names of menus. */
  favourites: Type.Array(name, { maxItems: FAVOURITES_LIMIT }),
}

/** By list; a missing list has its screen's own layout. */
const grids = MapOf(ListColumns, { keys: '^[A-Za-z0-9_./:-]{1,64}$', maxProperties: 100 })

export const getPreferences = endpoint({
  method: 'GET',
  path: '/pref/get',
  access: 'any',
  input: Type.Object({}),
  // null until a language was chosen: the browser's language is used
  data: Type.Object({ ...fields, language: Nullable(OneOf(LANGUAGES)), grids }),
  summary: "The caller's preferences, with defaults for those never set",
})

export const savePreferences = endpoint({
  method: 'POST',
  path: '/pref/save',
  access: 'any',
  input: Type.Object(
    {
      size: Type.Optional(fields.size),
      theme: Type.Optional(fields.theme),
      mode: Type.Optional(fields.mode),
      motion: Type.Optional(fields.motion),
      singleKeys: Type.Optional(fields.singleKeys),
      sounds: Type.Optional(fields.sounds),
      tagsView: Type.Optional(fields.tagsView),
      fixedHeader: Type.Optional(fields.fixedHeader),
      sidebarLogo: Type.Optional(fields.sidebarLogo),
      pinyinSearch: Type.Optional(fields.pinyinSearch),
      favourites: Type.Optional(fields.favourites),
      language: Type.Optional(OneOf(LANGUAGES)),
      // null: back to the screen's own layout
      grids: Type.Optional(
        MapOf(Nullable(ListColumns), { keys: '^[A-Za-z0-9_./:-]{1,64}$', maxProperties: 100 }),
      ),
    },
    { additionalProperties: false },
  ),
  data: Nothing(),
  audit: 'prefSave',
  summary: 'Saves the given preferences; column layouts are saved per list',
})
