import type { OutsideWork } from '#gateway/manage/kernel/feature.ts'
import type { VendorsByLane } from '#gateway/manage/vendors/routing/vendors-by-lane.ts'

/** An installation with one vendor of a kind and no configurations. */
export function onlyVendor<Vendor extends OutsideWork & { readonly code: string }>(
  vendor: Vendor,
): VendorsByLane<Vendor> {
  return {
    installation: vendor,
    of: ({ cfgId, vendorCode }) =>
      Promise.resolve(cfgId === null && vendorCode === vendor.code ? vendor : null),
    settle: () => vendor.settle(),
    close: () => vendor.close(),
  }
}
