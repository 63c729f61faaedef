/**
 * What third parties do for an app: the work for which the console calls a vendor. A kind that nothing
 * calls cannot be set up, because it would look as if it had an effect.
 */
export const VENDOR_KINDS = [
  'payout',
  'collect',
  'kyc',
  'bureau',
  'sms',
  'whatsapp',
  'aiCall',
  'voice',
  'storage',
] as const
export type VendorKind = (typeof VENDOR_KINDS)[number]

/** What is asked about an applicant before an application is judged. */
export const CHECK_KINDS = ['kyc', 'bureau'] as const satisfies readonly VendorKind[]
export type CheckKind = (typeof CHECK_KINDS)[number]

/** Keys with which calls to a vendor are signed. */
export const SIGNING_KEYS = ['keyId', 'secret'] as const
/** What a store of files is called with. */
export const STORAGE_KEYS = ['bucket', 'region', 'keyId', 'secret'] as const

/** Names of the keys that a configuration needs, by what its third party does. */
export const keysOf = (kind: VendorKind): readonly string[] =>
  kind === 'storage' ? STORAGE_KEYS : SIGNING_KEYS

export const SERVICE_STATUSES = ['enabled', 'disabled'] as const

/**
 * `closed`: it is called. `open`: it is left out until the pause is over. `trying`: one call at a
 * time until enough of them succeeded.
 */
export const BREAKER_STATES = ['closed', 'open', 'trying'] as const
