/**
 * The keys of the texts, from the English files: one line for each namespace. What is not a key
 * does not compile; a key sent by the server or read from a row is a `string`, and passes.
 */
import type access from '#locales/en/access.json'
import type account from '#locales/en/account.json'
import type announcements from '#locales/en/announcements.json'
import type approvals from '#locales/en/approvals.json'
import type calls from '#locales/en/calls.json'
import type chart from '#locales/en/chart.json'
import type collection from '#locales/en/collection.json'
import type conditions from '#locales/en/conditions.json'
import type coupons from '#locales/en/coupons.json'
import type customers from '#locales/en/customers.json'
import type errors from '#locales/en/errors.json'
import type exports from '#locales/en/exports.json'
import type files from '#locales/en/files.json'
import type grid from '#locales/en/grid.json'
import type home from '#locales/en/home.json'
import type jobs from '#locales/en/jobs.json'
import type ledger from '#locales/en/ledger.json'
import type live from '#locales/en/live.json'
import type notifications from '#locales/en/notifications.json'
import type orders from '#locales/en/orders.json'
import type parameters from '#locales/en/parameters.json'
import type problems from '#locales/en/problems.json'
import type products from '#locales/en/products.json'
import type proof from '#locales/en/proof.json'
import type repayments from '#locales/en/repayments.json'
import type reports from '#locales/en/reports.json'
import type review from '#locales/en/review.json'
import type rules from '#locales/en/rules.json'
import type scheduling from '#locales/en/scheduling.json'
import type search from '#locales/en/search.json'
import type session from '#locales/en/session.json'
import type settings from '#locales/en/settings.json'
import type shell from '#locales/en/shell.json'
import type system from '#locales/en/system.json'
import type telemarketing from '#locales/en/telemarketing.json'
import type tickets from '#locales/en/tickets.json'
import type transfers from '#locales/en/transfers.json'
import type ui from '#locales/en/ui.json'
import type views from '#locales/en/views.json'
import type wall from '#locales/en/wall.json'

export interface Texts {
  access: typeof access
  account: typeof account
  announcements: typeof announcements
  approvals: typeof approvals
  calls: typeof calls
  chart: typeof chart
  collection: typeof collection
  conditions: typeof conditions
  coupons: typeof coupons
  customers: typeof customers
  errors: typeof errors
  exports: typeof exports
  files: typeof files
  grid: typeof grid
  home: typeof home
  jobs: typeof jobs
  ledger: typeof ledger
  live: typeof live
  notifications: typeof notifications
  orders: typeof orders
  parameters: typeof parameters
  problems: typeof problems
  products: typeof products
  proof: typeof proof
  repayments: typeof repayments
  reports: typeof reports
  review: typeof review
  rules: typeof rules
  scheduling: typeof scheduling
  search: typeof search
  session: typeof session
  settings: typeof settings
  shell: typeof shell
  system: typeof system
  telemarketing: typeof telemarketing
  tickets: typeof tickets
  transfers: typeof transfers
  ui: typeof ui
  views: typeof views
  wall: typeof wall
}

export type Namespace = keyof Texts

/** A key without the ending of its plural form. */
type Bare<Key extends string> = Key extends `${infer Stem}_${Intl.LDMLPluralRule}` ? Stem : Key

type Leaves<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Bare<Key> : `${Key}.${Leaves<Tree[Key]>}`
}[keyof Tree & string]

/** The keys of a namespace: `list.empty`. */
export type KeysOf<Name extends Namespace> = { [One in Name]: Leaves<Texts[One]> }[Name]

/** The keys of a namespace with its name: `orders:list.empty`. */
export type FullKeysOf<Name extends Namespace> = {
  [One in Name]: `${One}:${Leaves<Texts[One]>}`
}[Name]

/**
 * `Key` itself where it may be a key: it is one of `Known`, begins like one (`state.${string}`), or
 * is any `string`.
 */
export type Checked<Key extends string, Known extends string> = Key extends Known
  ? Key
  : string extends Key
    ? Key
    : [Extract<Known, Key>] extends [never]
      ? never
      : Key
