/** The vendors of one kind: that of the installation, and one for each configuration. */
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { OutsideWork } from '#gateway/manage/kernel/feature.ts'
import { type OpenConfiguration, openConfiguration } from './configurations.ts'

/** Where a piece of work goes: a configuration, or the vendor of the installation. */
export interface VendorLane {
  cfgId: string | null
  vendorCode: string
}

export interface VendorsByLane<Vendor> extends OutsideWork {
  /** Serves apps without services of their own; null: there is none. */
  readonly installation: Vendor | null
  /** Null: this installation has no such vendor. */
  of(lane: VendorLane): Promise<Vendor | null>
}

/** @param make opens a configuration, whose calls it counts */
export function vendorsByLane<Vendor extends OutsideWork & { readonly code: string }>(
  { database, secrets }: Pick<AppContext, 'database' | 'secrets'>,
  installation: Vendor | null,
  make: (configuration: OpenConfiguration) => Vendor,
): VendorsByLane<Vendor> {
  // address and keys of a configuration never change, so it is opened once
  const opened = new Map<string, Vendor>()
  const all = () => [...(installation ? [installation] : []), ...opened.values()]
  return {
    installation,
    async of({ cfgId, vendorCode }) {
      if (cfgId === null) return installation?.code === vendorCode ? installation : null
      const known = opened.get(cfgId)
      if (known) return known
      const configuration = await openConfiguration(database.kysely, secrets, cfgId)
      if (configuration === null) return null
      // another caller may have opened it meanwhile
      const vendor = opened.get(cfgId) ?? make(configuration)
      opened.set(cfgId, vendor)
      return vendor
    },
    async settle() {
      for (const vendor of all()) await vendor.settle()
    },
    async close() {
      for (const vendor of all()) await vendor.close()
    },
  }
}
