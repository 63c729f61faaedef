/** Joins the manifests of the features into what the core runs. */
import type { FastifyInstance } from 'fastify'
import type { MenuItem } from '#shared/kernel/permission.ts'
import type { JobType } from './jobs/job-type.ts'
import type { ScheduledClass } from './jobs/scheduled-class.ts'
import type { Audience } from './kernel/audience.ts'
import type {
  Authenticator,
  Brought,
  Feature,
  FeatureSetup,
  Hooks,
  Manifest,
  OutsideWork,
} from './kernel/feature.ts'
import type { SealedColumn } from './kernel/sealed-column.ts'

export interface Parts {
  menus: readonly MenuItem[]
  audiences: readonly Audience[]
  sealed: readonly SealedColumn[]
  schedules: readonly ScheduledClass[]
  jobTypes: readonly JobType[]
  outside: readonly OutsideWork[]
  authenticate(app: FastifyInstance): Authenticator
  routes(base: FastifyInstance): void
}

export function foldFeatures(
  manifests: readonly Manifest[],
  given: Omit<FeatureSetup, 'hooked' | 'audiences'>,
): Parts {
  const features = manifests.map((one) => (typeof one === 'function' ? one(given.context) : one))
  const lists = new Map<string, unknown[]>()
  const listOf = (name: string): unknown[] => {
    const list = lists.get(name) ?? []
    lists.set(name, list)
    return list
  }
  const setup: FeatureSetup = {
    ...given,
    audiences: features.flatMap(({ audience }) => audience ?? []),
    // `addHooks` fills each list with items of its own type only
    hooked: (name) => listOf(name) as Hooks[typeof name][],
  }
  const addHooks = ({ hooks = {} }: Feature): void => {
    const added = typeof hooks === 'function' ? hooks(setup) : hooks
    for (const [name, items] of Object.entries<readonly unknown[]>(added))
      listOf(name).push(...items)
  }
  features.forEach(addHooks)
  const bring = <T>(partOf: (feature: Feature) => Brought<T> | undefined): T[] =>
    features.flatMap((feature) => {
      const brought = partOf(feature) ?? []
      return typeof brought === 'function' ? brought(setup) : brought
    })
  return {
    menus: features.flatMap(({ menu }) => menu ?? []),
    audiences: setup.audiences,
    sealed: features.flatMap(({ sealed }) => sealed ?? []),
    schedules: bring(({ schedules }) => schedules),
    jobTypes: bring(({ jobTypes }) => jobTypes),
    outside: bring(({ outside }) => outside),
    authenticate(app) {
      const [session, ...others] = features.filter(({ authenticate }) => authenticate !== undefined)
      if (!session?.authenticate || others.length > 0)
        throw new TypeError('exactly one feature authenticates')
      return session.authenticate(app, setup)
    },
    routes(base) {
      for (const feature of features) feature.routes?.(base, setup)
      for (const feature of features) feature.lateRoutes?.(base, setup)
    },
  }
}
