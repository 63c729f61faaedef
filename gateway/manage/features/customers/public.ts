/** What other features may use of customers. */
export { type SavedCustomer, upsertCustomer } from './upsert-customer.ts'
export { replaceCustomerData, type Resubmission } from './replace-customer-data.ts'
export { customerSections } from './customer-queries.ts'
export { openField, SHOWN_SECONDS } from './reveal-field.ts'
export { countSettlement } from './count-settlement.ts'
export { customerInScope } from './customer-scope.ts'
export { isAadhaar, verhoeffDigit } from './aadhaar.ts'
export { maskAadhaar, maskAccount, maskAddress, maskAddressText, maskEmail, maskPan, maskPhone } from './mask.ts'
