import { sql } from 'kysely'

/** Apps by name, for filters: all of them, because what belongs to a closed one remains. */
export const APP_OPTIONS = sql`
  (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]')
    from app a)`

/** Channels by name, likewise. */
export const CHANNEL_OPTIONS = sql`
  (select coalesce(json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name), '[]')
    from channel h)`

/** Products by name, likewise. */
export const PRODUCT_OPTIONS = sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by p.name), '[]')
    from product p)`

/**
 * Whether customers of app `a` can apply for its product `p`: both are on, and the app's merchant
 * lends it or it was linked to that merchant. An app without a merchant offers all that are on.
 */
export const ON_OFFER = sql<boolean>`
  (p.status = 'enabled' and a.status = 'enabled' and (a.merchant_id is null
    or a.merchant_id = p.merchant_id or exists (select 1 from merchant_product l
      where l.merchant_id = a.merchant_id and l.product_id = p.id)))`
