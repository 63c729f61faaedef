/**
 * The stores of files. A new object goes to the vendors of the app, in their order; one that is kept
 * is read and deleted where it lies, whatever serves the app since.
 */
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import { admission } from './routing/breaker.ts'
import { type OpenConfiguration, openConfiguration } from './routing/configurations.ts'
import { type Answered, vendorsOfKind } from './routing/vendors-of-kind.ts'
import { watchedCall } from './routing/watched-call.ts'
import { httpStore, type ObjectStore, sandboxStore } from './storage-stores.ts'

export interface OpenStore {
  cfgId: string
  store: ObjectStore
}

export interface StorageVendors {
  /**
   * Null: the app has no vendor of this kind, and its files stay in the database.
   * @param key of the file, whose hash chooses among equals
   * @param keep one attempt; after any failure it is tried at the next vendor
   * @throws Error when none of its vendors keeps it
   */
  keep<Kept>(
    work: { appId: string; key: string },
    keep: (place: OpenStore) => Promise<Kept>,
  ): Promise<Answered<Kept> | null>
  /** @throws Error when the breaker leaves the store out, and what the call throws */
  call<Answer>(cfgId: string, ask: (store: ObjectStore) => Promise<Answer>): Promise<Answer>
}

declare module '#gateway/manage/kernel/feature.ts' {
  interface Vendors {
    storage: StorageVendors
  }
}

const answered = () => ({ outcome: 'ok', error: null }) as const

export function storageVendorsOf(
  context: AppContext,
  { allowPrivate }: { allowPrivate: boolean },
): StorageVendors {
  const { database, secrets } = context
  const storeOf = (configuration: OpenConfiguration): OpenStore => ({
    cfgId: configuration.cfgId,
    store: configuration.sandbox
      ? sandboxStore(database.kysely)
      : httpStore(configuration, { allowPrivate }),
  })
  const vendors = vendorsOfKind(context, storeOf)
  return {
    keep: (work, keep) =>
      vendors.ask(
        { ...work, kind: 'storage' },
        { ask: keep, judge: answered, mayPass: () => true },
      ),
    async call(cfgId, ask) {
      if ((await admission(database.kysely, cfgId)) === 'no')
        throw new Error('the store is left out')
      const configuration = await openConfiguration(database.kysely, secrets, cfgId)
      if (configuration === null) throw new TypeError(`configuration ${cfgId} does not exist`)
      return watchedCall(context, cfgId, () => ask(storeOf(configuration).store), answered)
    },
  }
}
