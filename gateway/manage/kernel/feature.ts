/**
 * What a feature is to manage. Each feature exports one manifest from its `feature.ts`; `manage.ts`
 * lists them and `foldFeatures` joins them.
 */
import type { FastifyInstance } from 'fastify'
import type { MenuItem } from '#shared/kernel/permission.ts'
import type { JobType } from '#gateway/manage/jobs/job-type.ts'
import type { ScheduledClass } from '#gateway/manage/jobs/scheduled-class.ts'
import type { AppContext } from './app-context.ts'
import type { Audience } from './audience.ts'
import type { SealedColumn } from './sealed-column.ts'

/**
 * Lists that one feature reads and others add to, by name. The feature that reads one declares its
 * item type beside the code that uses it:
 *
 *     declare module '#gateway/manage/kernel/feature.ts' {
 *       interface Hooks { whenPaid: WhenPaid }
 *     }
 */
export interface Hooks {}

/** Interfaces to vendors by name; each vendor file declares its own, as features declare hooks. */
export interface Vendors {}

export interface FeatureSettings {
  production: boolean
  /** `rules`: this installation judges applications; `external`: /inbound/machineReview does. */
  machineReview: 'rules' | 'external'
  /** Whether the address of a vendor may be in the own network, also without TLS. */
  privateVendors: boolean
}

/** What a manifest is given. */
export interface FeatureSetup {
  context: AppContext
  settings: FeatureSettings
  /** Null: the installation has no such vendor, and what needs one waits. */
  vendors: { readonly [V in keyof Vendors]: Vendors[V] | null }
  /**
   * What all features add to a hook. The list is complete when the first route or schedule is made;
   * another hook may keep it but not copy it.
   */
  hooked<H extends keyof Hooks>(name: H): readonly Hooks[H][]
  /** Of all features. */
  audiences: readonly Audience[]
}

/** A list, or what makes it from the setup. */
export type Brought<T> = readonly T[] | ((setup: FeatureSetup) => readonly T[])

type HookLists = { readonly [H in keyof Hooks]?: readonly Hooks[H][] }

export interface Feature {
  menu?: readonly MenuItem[]
  audience?: Audience | readonly Audience[]
  /** Columns with sealed values; a new seal key moves them. */
  sealed?: readonly SealedColumn[]
  /** What it adds to the lists of other features. */
  hooks?: HookLists | ((setup: FeatureSetup) => HookLists)
  schedules?: Brought<ScheduledClass>
  jobTypes?: Brought<JobType>
  /** Work outside the database that must be waited for when draining or settling. */
  outside?: Brought<OutsideWork>
  /**
   * Turns the token of a request into its actor, before any route. The one feature that keeps
   * sessions brings it.
   */
  authenticate?(app: FastifyInstance, setup: FeatureSetup): Authenticator
  routes?(base: FastifyInstance, setup: FeatureSetup): void
  /** Routes that need the lists of all features (`context.lists`): made after all others. */
  lateRoutes?(base: FastifyInstance, setup: FeatureSetup): void
}

/** A manifest, or what makes one for this process when its parts share something in memory. */
export type Manifest = Feature | ((context: AppContext) => Feature)

export interface OutsideWork {
  settle(): Promise<void>
  close(): Promise<void>
}

export interface Authenticator {
  /** Forgets cached sessions, of one user or of all. */
  forget(userId: string | null): void
}
