import Type from 'typebox'
import { endpoint, Id, Nullable, OneOf, Paise, Text } from '#shared/kernel/endpoint.ts'
import { ListData, ListInput } from '#shared/kernel/page.ts'
import { PREPAYMENT_EFFECTS } from '#shared/repayments/emi/prepayment-effects.ts'
import { appVersion, packageName, servicePhone, webAddress } from './app-fields.ts'
import { PenaltyData } from '#shared/orders/order-parts.ts'
import { LEAST_INSTALMENTS, MOST_INSTALMENTS } from './emi-offer.ts'
import { PRODUCT_STATUSES } from './products-api.ts'

/** Apps that lend in equated monthly instalments. `version` is that of the app's EMI settings. */
const text = Type.String()
const maybe = Nullable(text)
const int = Type.Integer()
const strict = { additionalProperties: false }
const money = (minimum: number) => Paise({ minimum, maximum: 100_000_000_000 })
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

const app = {
  appId: text,
  appName: text,
  appStatus: OneOf(PRODUCT_STATUSES),
  /** 0 until something was saved. */
  version: int,
  updateTime: maybe,
}
const listed = Type.Object(
  {
    ...ListInput({}).properties,
    name: Type.Optional(Text(1, 60)),
    status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  },
  strict,
)

export const EmiInfo = Type.Object(
  {
    name: Text(2, 60),
    package: packageName(),
    appVersion: appVersion(),
    minVersion: appVersion(),
    storeUrl: Type.Optional(webAddress()),
    privacyUrl: webAddress(),
    servicePhone: servicePhone(),
  },
  strict,
)

export const EmiConfigFields = Type.Object(
  {
    minAmount: money(100_00),
    maxAmount: money(100_00),
    instalments: Type.Array(whole(LEAST_INSTALMENTS, MOST_INSTALMENTS), {
      minItems: 1,
      maxItems: MOST_INSTALMENTS - LEAST_INSTALMENTS + 1,
      uniqueItems: true,
    }),
    annualRate: whole(0, 6_000),
    processingFee: whole(0, 2_000),
    dueDay: whole(1, 28),
    graceDays: whole(0, 30),
    bounceCharge: Paise({ minimum: 0, maximum: 1_000_00 }),
    prepayment: OneOf(PREPAYMENT_EFFECTS),
    coolingOffDays: whole(1, 30),
  },
  strict,
)

const EmiInfoRow = Type.Object({
  ...app,
  name: maybe,
  package: maybe,
  appVersion: maybe,
  minVersion: maybe,
  storeUrl: maybe,
  privacyUrl: maybe,
  servicePhone: maybe,
})

const EmiConfigRow = Type.Object({
  ...app,
  /** The product the terms became; null until they were saved once. */
  productId: maybe,
  productName: maybe,
  productStatus: Nullable(OneOf(PRODUCT_STATUSES)),
  config: Nullable(EmiConfigFields),
  /** Basis points of GST on the processing fee. */
  gstRate: int,
})

export const listEmiInfo = endpoint({
  method: 'POST',
  path: '/emi/info/page',
  access: ['app_config:view'],
  menu: 'app_config',
  input: listed,
  data: ListData(EmiInfoRow),
  summary: 'EMI information that each app shows to its users',
})

export const saveEmiInfo = endpoint({
  method: 'POST',
  path: '/emi/appInfo',
  access: ['app_config:edit'],
  menu: 'app_config',
  input: Type.Object(
    { appId: Id(), version: Type.Integer({ minimum: 0 }), value: EmiInfo },
    strict,
  ),
  data: EmiInfoRow,
  audit: 'edit',
  summary: 'Saves the EMI information that an app shows to its users',
})

export const listEmiConfig = endpoint({
  method: 'POST',
  path: '/emi/params/page',
  access: ['params_config:view'],
  menu: 'params_config',
  input: listed,
  data: ListData(EmiConfigRow),
  summary: 'EMI terms by app',
})

export const saveEmiConfig = endpoint({
  method: 'POST',
  path: '/emi/appConfig',
  access: ['params_config:edit'],
  menu: 'params_config',
  input: Type.Object(
    { appId: Id(), version: Type.Integer({ minimum: 0 }), value: EmiConfigFields },
    strict,
  ),
  data: EmiConfigRow,
  audit: 'edit',
  summary: 'Saves the EMI terms of an app, for new orders; the first time its product is made',
})

const Planned = Type.Object({ dueDay: text, principal: int, interest: int })

/** Signed like every question of a machine. */
export const inboundEmiOffer = endpoint({
  method: 'GET',
  path: '/inbound/emiOffer',
  access: { machine: 'application' },
  input: Type.Object({
    appId: Id(),
    amount: Paise({ minimum: 100 }),
    instalments: whole(LEAST_INSTALMENTS, MOST_INSTALMENTS),
  }),
  data: Type.Object({
    productId: text,
    fee: int,
    gst: int,
    arrival: int,
    interest: int,
    contract: int,
    apr: int,
    annualRate: int,
    graceDays: int,
    bounceCharge: int,
    prepayment: OneOf(PREPAYMENT_EFFECTS),
    /** Contingent charges: for each returned debit, a day overdue, and ending the loan early. */
    contingent: Type.Object({ bounce: int, penalty: PenaltyData, foreclosure: int }),
    plan: Type.Array(Planned),
  }),
  summary: 'Key facts statement of an EMI loan, if it is paid out today',
})
