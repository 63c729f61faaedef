import { sql } from 'kysely'

/** Apps by name, for filters: all of them, because what belongs to a closed one remains. */
export const APP_OPTIONS = sql`
  (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]')
    from app a)`

/** Channels by name, likewise. */
export const CHANNEL_OPTIONS = sql`
  (select coalesce(json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name), '[]')
    from channel h)`
