/**
 * Types the keys of `t` from the English files: one line per namespace. Keys sent by the server are
 * resolved by `serverText`.
 */
import type access from '#locales/en/access.json'
import type account from '#locales/en/account.json'
import type approvals from '#locales/en/approvals.json'
import type chart from '#locales/en/chart.json'
import type collection from '#locales/en/collection.json'
import type customers from '#locales/en/customers.json'
import type errors from '#locales/en/errors.json'
import type exports from '#locales/en/exports.json'
import type files from '#locales/en/files.json'
import type grid from '#locales/en/grid.json'
import type home from '#locales/en/home.json'
import type live from '#locales/en/live.json'
import type notifications from '#locales/en/notifications.json'
import type announcements from '#locales/en/announcements.json'
import type orders from '#locales/en/orders.json'
import type parameters from '#locales/en/parameters.json'
import type problems from '#locales/en/problems.json'
import type products from '#locales/en/products.json'
import type proof from '#locales/en/proof.json'
import type repayments from '#locales/en/repayments.json'
import type settings from '#locales/en/settings.json'
import type search from '#locales/en/search.json'
import type session from '#locales/en/session.json'
import type shell from '#locales/en/shell.json'
import type system from '#locales/en/system.json'
import type tickets from '#locales/en/tickets.json'
import type ui from '#locales/en/ui.json'
import type views from '#locales/en/views.json'
import type wall from '#locales/en/wall.json'

/** A namespace whose file is not listed yet. */
type Open = Record<string, string>

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'session'
    returnNull: false
    resources: {
      access: typeof access
      account: typeof account
      approvals: typeof approvals
      chart: typeof chart
      collection: typeof collection
      customers: typeof customers
      errors: typeof errors
      exports: typeof exports
      files: typeof files
      grid: typeof grid
      home: typeof home
      live: typeof live
      notifications: typeof notifications
      announcements: typeof announcements
      problems: typeof problems
      products: typeof products
      proof: typeof proof
      repayments: typeof repayments
      search: typeof search
      session: typeof session
      settings: typeof settings
      shell: typeof shell
      system: typeof system
      tickets: typeof tickets
      ui: typeof ui
      views: typeof views
      wall: typeof wall
      orders: typeof orders
      parameters: typeof parameters
      review: Open
    }
  }
}
