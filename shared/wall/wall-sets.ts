/** Closed sets of the wall board. */

/** Viewing distance: it decides the size of every text. */
export const WALL_PROFILES = ['near', 'mid', 'far'] as const
export type WallProfile = (typeof WALL_PROFILES)[number]

export const WALL_SCENES = ['today', 'teams', 'contacts', 'queues'] as const
export type WallScene = (typeof WALL_SCENES)[number]

export const WALL_THEMES = ['dark', 'light'] as const
export type WallTheme = (typeof WALL_THEMES)[number]

/** Whose figures a board shows; a screen is paired for one of the first three. */
export const BOARD_UNITS = ['all', 'agency', 'department', 'group', 'own'] as const
export type BoardUnit = (typeof BOARD_UNITS)[number]
export const PAIR_UNITS = ['all', 'agency', 'department'] as const
export type PairUnit = (typeof PAIR_UNITS)[number]

export const BOARD_STATES = ['waiting', 'active', 'revoked'] as const
export type BoardState = (typeof BOARD_STATES)[number]

export const RANKING_KINDS = ['agency', 'group', 'collector'] as const
export type RankingKind = (typeof RANKING_KINDS)[number]

export const ALERT_KEYS = ['unallocatedAge', 'ptpKept', 'reviewAge', 'disburseFailed'] as const
export type AlertKey = (typeof ALERT_KEYS)[number]
export const ALERT_LEVELS = ['warning', 'critical'] as const
export type AlertLevel = (typeof ALERT_LEVELS)[number]

/** Letters of a pairing code, without look-alikes. */
export const CODE_LETTERS = 'ABCDEFGHJKMNPQRTUVWXYZ2346789'
export const CODE_LENGTH = 6
export const CODE_PATTERN = `^[${CODE_LETTERS}]{${CODE_LENGTH}}$`
