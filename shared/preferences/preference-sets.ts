/** Closed sets of preferences. */

export const SIZES = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]

/**
 * The eight theme colours. Each is a pair of tones with sufficient contrast for text, named in
 * theme.css.
 */
export const THEMES = [
  '#1890ff',
  '#304156',
  '#212121',
  '#11a983',
  '#13c2c2',
  '#6959cd',
  '#f5222d',
  '#eb8f00',
] as const
export type Theme = (typeof THEMES)[number]

export const MODES = ['light', 'dark', 'system'] as const
export type Mode = (typeof MODES)[number]

/** Kinds of notifications with a sound. */
export const SOUND_KINDS = [
  'assigned',
  'taken',
  'handover',
  'approval',
  'decision',
  'sla',
  'promise',
  'job',
  'system',
] as const
export type SoundKind = (typeof SOUND_KINDS)[number]

export const FAVOURITES_LIMIT = 30
