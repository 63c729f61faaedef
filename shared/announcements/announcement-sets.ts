/** Closed sets of announcements. */
export const ANNOUNCEMENT_STATES = ['draft', 'published', 'withdrawn'] as const
export type AnnouncementState = (typeof ANNOUNCEMENT_STATES)[number]

/**
 * When it pops up: never, at each login, once per IST day, once ever (counted from its
 * publication).
 */
export const POP_CONDITIONS = ['none', 'everyLogin', 'oncePerDay', 'once'] as const
export type PopCondition = (typeof POP_CONDITIONS)[number]
