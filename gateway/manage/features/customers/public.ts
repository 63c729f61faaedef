/** What other features may use of customers. */
export { type SavedCustomer, upsertCustomer } from './upsert-customer.ts'
export { withReadyPhotos } from './ready-photos.ts'
export type { ReadyApplication } from './customer-store.ts'
export { replaceCustomerData, type Resubmission } from './replace-customer-data.ts'
export { customerSections } from './customer-queries.ts'
export { openField, REVEALS_PER_HOUR, SHOWN_SECONDS, notifyManagers } from './reveal-field.ts'
export { mayOpenPhones, withOpenPhones } from './open-phones.ts'
export { creditLimit, grantCredit } from './grant-credit.ts'
export { type LimitRaise, raisedLimit, raiseLimit } from './raise-limit.ts'
export { reopenIdentity } from './reopen-identity.ts'
export { countSettlement, uncountSettlement } from './count-settlement.ts'
export {
  blacklistCustomer,
  type BlacklistEntry,
  endEntry as endBlacklisting,
} from './blacklist/blacklist-customer.ts'
export { PERSON_BLACKLISTED } from './blacklist/person-blacklisted.ts'
export { customerInScope } from './customer-scope.ts'
export { isAadhaar, verhoeffDigit } from './aadhaar.ts'
export {
  maskAadhaar,
  maskAccount,
  maskAddress,
  maskAddressText,
  maskEmail,
  maskPan,
  maskPhone,
} from './mask.ts'
export { lockContacts } from './lock-contacts.ts'
export { customersNamed } from './customers-named.ts'
