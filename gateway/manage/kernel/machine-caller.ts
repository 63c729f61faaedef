/**
 * Who makes a signed call. A key may carry the code of a vendor; it then reports on the work of that
 * vendor and of no other. A key without one reports on the work of the installation's own vendors,
 * those of its settings, as every key did before vendors had codes.
 */
export interface MachineCaller {
  /** Of the key: the actor in the operate log. */
  name: string
  vendorCode: string | null
}

/** A piece of work that a vendor has: a transfer, a call. */
export interface VendorWork {
  vendorCode: string | null
  /** Null: the vendor of the installation has it. */
  cfgId: string | null
}

export function maySpeakFor(caller: MachineCaller, { vendorCode, cfgId }: VendorWork): boolean {
  return caller.vendorCode === null ? cfgId === null : caller.vendorCode === vendorCode
}

/** Under which name its own numbers are kept apart: two keys of one vendor are one channel. */
export function channelOf(caller: MachineCaller): string {
  return caller.vendorCode ?? caller.name
}
