/** Types the keys of `t` from the English files: one line per namespace. Keys the server sends are looked up by `serverText`. */
import type live from '#locales/en/live.json'
import type orders from '#locales/en/orders.json'
import type problems from '#locales/en/problems.json'
import type session from '#locales/en/session.json'
import type shell from '#locales/en/shell.json'
import type ui from '#locales/en/ui.json'

/** A namespace whose owner has not listed its file yet. */
type Open = Record<string, string>

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'session'
    returnNull: false
    resources: {
      live: typeof live
      problems: typeof problems
      session: typeof session
      shell: typeof shell
      ui: typeof ui
      orders: typeof orders
      review: Open
    }
  }
}
