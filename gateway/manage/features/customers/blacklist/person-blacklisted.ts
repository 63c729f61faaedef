import { type RawBuilder, sql } from 'kysely'

/**
 * Whether the person of `customer c` is blacklisted, as this or another customer: the same phone,
 * PAN or Aadhaar in any app. A predicate; each part has its index.
 */
export const PERSON_BLACKLISTED: RawBuilder<boolean> = sql<boolean>`(c.blacklisted or exists (
    select 1 from app y join customer x on x.app_id = y.id and x.phone_h = c.phone_h where x.blacklisted
    union all select 1 from customer x where x.pan_h = c.pan_h and x.blacklisted
    union all select 1 from customer x where x.aadhaar_h = c.aadhaar_h and x.blacklisted))`
