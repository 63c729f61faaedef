/** The closed sets of a person's preferences (specification, sections 2 and 9). */

export const SIZES = ['default', 'medium', 'small', 'mini'] as const
export type Size = (typeof SIZES)[number]

/** The eight theme colours. Each stands for a pair that carries text: theme.css names them (ux.md 5.0). */
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

/** Kinds of news that may sound. */
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
