/** The notification centre of the header, and its parts that the home page uses. */
export {
  type Announcement,
  AnnouncementDialog,
  AnnouncementRows,
  useAnnouncements,
} from './Announcements.tsx'
export { JobRows } from './JobRows.tsx'
export { NotificationTrays } from './NotificationTrays.tsx'
