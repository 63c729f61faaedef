/** Closed sets of announcements (roles.md 5.2, api.md 20). */
export const NOTICE_STATES = ['draft', 'published', 'withdrawn'] as const
export type NoticeState = (typeof NOTICE_STATES)[number]

/** When it stands in the middle of the screen: never, at each sign-in, once per IST day, once ever (counted from its publication). */
export const POP_CONDITIONS = ['none', 'everyLogin', 'oncePerDay', 'once'] as const
export type PopCondition = (typeof POP_CONDITIONS)[number]
