import type { RowOf } from '#client/screen/list/list-types.ts'
import type { listAnnouncements } from '#shared/announcements/announcements-api.ts'

export type Announcement = RowOf<typeof listAnnouncements>
